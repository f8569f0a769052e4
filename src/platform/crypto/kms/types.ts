/**
 * Encrypts and decrypts keys of the ring with a key that never leaves a key management service. `id` is the id of the
 * key in the ring; the service authenticates it, so that the text of one key is not accepted as another.
 * @throws KmsError
 */
export interface KeyWrapper {
  /** For messages: the service and the name of its key. */
  name: string
  /** Returns one line of text, without commas. */
  wrap(id: string, key: Buffer): Promise<string>
  unwrap(id: string, text: string): Promise<Buffer>
}

/** Which key of which service. */
export type KmsKey =
  | { service: 'aws-kms'; key: string; region: string }
  | { service: 'gcp-kms'; key: string }
  | { service: 'vault'; url: string; mount: string; key: string }

/** A request to a key management service failed. The message contains no key, token or ciphertext. */
export class KmsError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'KmsError'
  }
}
