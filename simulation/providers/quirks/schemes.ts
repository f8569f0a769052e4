import type { Quirk } from '../quirk.ts'
import { GIVEN } from './schemes-given.ts'
import { MACHINES } from './schemes-machine.ts'
import { WALKS } from './schemes-walk.ts'

/** Whole schemes rather than peculiarities. */
export const SCHEMES: readonly Quirk[] = [...WALKS, ...MACHINES, ...GIVEN]
