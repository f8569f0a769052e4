/** Where the files of a toolkit are, so that a thread can read them. */
export type ToolkitLocation =
  | {
      readonly kind: 'folder'
      /** The folder that contains the folder of the toolkit. */
      readonly root: string
      readonly hasOperations: boolean
    }
  | {
      readonly kind: 'disk_cache'
      readonly folder: string
      /** Newest first. */
      readonly releases: readonly { readonly version: string; readonly digest: string }[]
    }
