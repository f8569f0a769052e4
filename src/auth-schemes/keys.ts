import { createPrivateKey, type KeyObject } from 'node:crypto'

/** Forms and environment files write the line ends of a PEM as two characters. */
const withLineEnds = (pem: string) => pem.replaceAll('\\n', '\n').trim()

/** A private key (PEM: PKCS#8, PKCS#1 or SEC 1). @throws UnusableKey */
export function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(withLineEnds(pem))
  } catch {
    // Neither the key nor what the library says of it belongs into an error.
    throw new UnusableKey('is no private key in PEM form (`-----BEGIN PRIVATE KEY-----` …)')
  }
}

/** A key that cannot do what it is there for; `message` completes "The key …" and never quotes it. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableKey'
  }
}
