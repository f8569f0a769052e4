import type { Quirk } from '../quirk.ts'
import { STATIC } from './schemes-static.ts'
import { MACHINES } from './schemes-machine.ts'
import { BROWSER } from './schemes-browser.ts'

/** Whole schemes rather than peculiarities. */
export const SCHEMES: readonly Quirk[] = [...BROWSER, ...MACHINES, ...STATIC]
