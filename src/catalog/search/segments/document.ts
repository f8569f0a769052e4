/** A tool as the index reads it. Texts of any length; the index reads the beginning of each. */
export interface SearchDocument {
  readonly slug: string
  readonly name: string
  /** Words of its slug or operation id, or other names of the same tool. */
  readonly otherNames: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly description: string }[]
  /** What people say who want this: its line for people, and the phrases of its manifest. */
  readonly phrases: readonly string[]
  /** Written by hand, not generated from a document of its vendor. */
  readonly isCurated: boolean
  /** Of its request, when it has one. */
  readonly path: string | undefined
  readonly effect: 'read' | 'create' | 'update' | 'delete' | undefined
  /** Slugs of tools of the same toolkit that return values of its arguments, in the order of the arguments. */
  readonly needs?: readonly string[] | undefined
}

/** A toolkit with its tools as the index reads them. */
export interface SearchToolkit {
  readonly slug: string
  /** Of everything that the index reads. Default: none, so that the index of the toolkit is not used again. */
  readonly digest?: string | undefined
  readonly name: string
  readonly description: string
  /** Host names of the application: its own site, its API. */
  readonly hosts: readonly string[]
  readonly tools: readonly SearchDocument[]
}
