import type { Quirk } from '../quirk.ts'
import { ASSERTIONS } from './assertions.ts'
import { AUTHORIZE } from './authorize.ts'
import { EXCHANGE } from './exchange.ts'
import { KEYS } from './keys.ts'
import { REFRESH } from './refresh.ts'
import { REPLY } from './reply.ts'
import { SCHEMES } from './schemes.ts'
import { SIGNATURES } from './signatures.ts'

/** Every peculiarity that is imitated, in the order of the list of them. */
export const QUIRKS: readonly Quirk[] = [
  ...SCHEMES,
  ...AUTHORIZE,
  ...EXCHANGE,
  ...ASSERTIONS,
  ...REPLY,
  ...REFRESH,
  ...KEYS,
  ...SIGNATURES,
].sort((a, b) => a.number - b.number)
