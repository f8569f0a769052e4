/** A value cannot be sealed or opened. Holds no part of the value or of a key. */
export class EncryptionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SealError'
  }
}
