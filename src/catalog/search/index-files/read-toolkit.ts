import { cachedReleases, CachedToolkit } from '../../manifest/load/disk-cache/index.ts'
import { folderReader } from '../../manifest/load/lazy/index.ts'
import { createCatalog } from '../../query/catalog.ts'
import type { ToolkitReleases } from '../../query/toolkit-releases.ts'
import type { ToolkitLocation } from '../../types/index.ts'
import { searchToolkit } from '../segments/catalog-documents.ts'
import type { SearchToolkit } from '../segments/document.ts'

/** A toolkit whose files a thread reads. `digest`: of the content that is to be indexed. */
export interface ToolkitToRead {
  readonly slug: string
  readonly digest: string
  readonly location: ToolkitLocation
}

/** Returns a function that reads toolkits from their files as the index reads them. */
export function toolkitReader(): (toolkit: ToolkitToRead) => SearchToolkit {
  const folders = new Map<string, ReturnType<typeof folderReader>>()

  function open(slug: string, location: ToolkitLocation): ToolkitReleases {
    if (location.kind === 'disk_cache') return openCached(location)
    const key = `${location.root} ${location.hasOperations}`
    let read = folders.get(key)
    if (!read) folders.set(key, (read = folderReader(location)))
    return read(slug)
  }
  return ({ slug, digest, location }) => ({
    ...searchToolkit(createCatalog([open(slug, location)]), slug),
    digest,
  })
}

/** What an index reads does not depend on the changes of a release, its day or its owner. */
function openCached({ folder, releases }: ToolkitLocation & { kind: 'disk_cache' }): ToolkitReleases {
  const opened = releases.map(({ version, digest }) => {
    const cached = CachedToolkit.open(folder, digest)
    if (!cached) throw new Error(`The file of ${digest} in ${folder} is damaged.`)
    return { version, changes: '', cached }
  })
  const [first, ...others] = opened
  return cachedReleases([first!, ...others], '', 'instance')
}
