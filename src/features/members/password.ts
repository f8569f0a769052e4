import { randomBytes } from 'node:crypto'

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, two iterations, one lane. */
const COST = { iterations: 2, parallelism: 1, memorySize: 19_456, hashLength: 32 } as const
const SALT_BYTES = 16
export const PASSWORD_CHARACTERS = { min: 12, max: 256 } as const

/** Loaded when it is used: most processes never see a password. */
const loadLibrary = () => import('hash-wasm')

/** One hash at a time: each needs 19 MiB and a tenth of a second of the process. */
let queue: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work)
  queue = result.catch(() => {})
  return result
}

/** Returns the hash of a password with its parameters, as the database stores it. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () =>
    (await loadLibrary()).argon2id({
      password: password.normalize('NFKC'),
      salt: randomBytes(SALT_BYTES),
      ...COST,
      outputType: 'encoded',
    }),
  )

/** A hash of no password, so that the time of a sign-in does not say whether the account exists. */
let dummy: Promise<string> | undefined

/** Compares a password with a hash. Without a hash it takes the same time, and returns false. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'))
  const expected = hash ?? (await dummy)
  const isEqual = await inTurn(async () =>
    (await loadLibrary()).argon2Verify({ password: password.normalize('NFKC'), hash: expected }),
  )
  return isEqual && typeof hash === 'string'
}
