import { createPrivateKey, type KeyObject } from 'node:crypto'

/** Restores the line ends of a PEM: forms and environment files write each as the two characters `\n`. */
const restoreLineEnds = (pem: string) => pem.replaceAll('\\n', '\n').trim()

/** Parses a private key in PEM format (PKCS#8, PKCS#1 or SEC 1). @throws UnusableKey */
export function parsePrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(restoreLineEnds(pem))
  } catch {
    // Neither the key nor the error of the library, which may quote it, belongs in a message.
    throw new UnusableKey('is not a private key in PEM format (`-----BEGIN PRIVATE KEY-----` …)')
  }
}

/** A key that cannot be used. `message` completes "The key …" and never quotes the key. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableKey'
  }
}
