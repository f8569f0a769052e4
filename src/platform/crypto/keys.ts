/** A new API key: the prefix, `_`, and 32 random characters of A-Z, a-z and 0-9 (190 bits). */
export function newApiKey(prefix: 'ak' | 'oak'): string {
  throw new Error(`not built: ${prefix}`)
}

/** What is stored of an API key: SHA-256. A key of 190 random bits needs no slow hash. */
export function hashKey(key: string): Buffer {
  throw new Error(`not built: ${key.length}`)
}

/** How a key is shown once it was given out: `ak_**UbOz`. */
export function maskKey(key: string): string {
  throw new Error(`not built: ${key.length}`)
}

/** Whether two secrets are equal; the time taken tells nothing about where they differ or how long they are. */
export function timingSafeEqualText(a: string, b: string): boolean {
  throw new Error(`not built: ${a === b}`)
}
