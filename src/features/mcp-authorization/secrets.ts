import { createHash } from 'node:crypto'
import { randomText } from '../../platform/ids.ts'

/** 256 bits: whoever holds one is believed. */
const CHARACTERS = 43
const PREFIX = { access: 'mat', refresh: 'mrt', code: 'mac', client: 'mcs', signIn: 'mln' } as const
const SHAPE = /^m(at|rt|ac|cs|ln)_[A-Za-z0-9]{43}$/

/** A new secret; only its hash is stored. */
export const newSecret = (kind: keyof typeof PREFIX): string => `${PREFIX[kind]}_${randomText(CHARACTERS)}`

/** SHA-256: random secrets need no slow hash. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Whether a text can be a secret of this kind: what cannot is not looked up. */
export const isSecret = (kind: keyof typeof PREFIX, text: unknown): text is string =>
  typeof text === 'string' && SHAPE.test(text) && text.startsWith(PREFIX[kind])
