/** A value cannot be encrypted or decrypted. The message contains no part of the value or of a key. */
export class EncryptionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EncryptionError'
  }
}
