import type { KeyRing } from './key-ring.ts'

export interface Sealer {
  /** Encrypts a JSON value. `context` names the place it is stored in; it opens nowhere else. @throws SealError if not JSON. */
  seal(plain: unknown, context: string): Buffer
  /** @throws SealError when the key is missing, the context is another one, or any bit was changed. */
  open<T>(sealed: Uint8Array, context: string): T
  /** Whether it was sealed with another key than the one that seals now. */
  needsReseal(sealed: Uint8Array): boolean
}

/** A value cannot be sealed or opened. Holds no part of the value or of a key. */
export class SealError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SealError'
  }
}

export function sealer(ring: KeyRing): Sealer {
  throw new Error(`not built: ${ring.sealingKeyId}`)
}
