import type { FetchText } from '../import.ts'
import { importFrom, type ImportSource, type Outcome } from '../import-source.ts'
import type { ImportOptions } from '../imported.ts'
import type { PreviousVersion } from '../versions/prepared-version.ts'

/** What an import needs from outside. */
export interface ImportContext {
  readonly fetchText: FetchText
  /** Reads the newest version of a toolkit. */
  readonly readPrevious: (toolkit: string) => Promise<PreviousVersion | undefined>
}

/** An import, and the version before it. */
export interface ImportAfterVersion extends Outcome {
  readonly previous: PreviousVersion | undefined
}

/**
 * Imports a document so that tools keep the slugs of earlier imports. Without a slug in the options, the toolkit is
 * known after the first reading only. Then the document is read again if that changes slugs.
 * @throws as `importFrom`
 */
export async function importWithFormerSlugs(
  source: ImportSource,
  options: ImportOptions,
  { fetchText, readPrevious }: ImportContext,
): Promise<ImportAfterVersion> {
  if (options.slug !== undefined) {
    const previous = await readPrevious(options.slug)
    return { ...(await importFrom(source, { ...options, former: slugsOf(previous) }, fetchText)), previous }
  }
  const first = await importFrom(source, options, fetchText)
  const { slug } = first.imported.toolkit
  const previous = await readPrevious(slug)
  const former = slugsOf(previous)
  if (!changesSlugs(first.imported.origins, former)) return { ...first, previous }
  return { ...(await importFrom(source, { ...options, slug, former }, fetchText)), previous }
}

const slugsOf = (previous: PreviousVersion | undefined): ReadonlyMap<string, string> =>
  new Map(previous && Object.entries(JSON.parse(previous.origins) as Record<string, string>))

function changesSlugs(
  origins: Readonly<Record<string, string>>,
  former: ReadonlyMap<string, string>,
): boolean {
  const owners = new Map([...former].map(([operation, slug]) => [slug, operation]))
  return Object.entries(origins).some(
    ([operation, slug]) =>
      (former.get(operation) ?? slug) !== slug || (owners.get(slug) ?? operation) !== operation,
  )
}
