import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { isObject } from '../../../../platform/json-object.ts'
import { createCatalog } from '../../../query/catalog.ts'
import type { ToolkitReleases } from '../../../query/toolkit-releases.ts'
import type { Catalog } from '../../../types/index.ts'
import { type Diagnostic, ManifestError } from '../../diagnostics.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../../format/index.ts'
import { compileSource } from '../compile-source.ts'
import { reporterFor } from '../compile-version.ts'
import type { FamilyCache } from '../families.ts'
import { withOperations } from '../operations/index.ts'
import { listToolkits, openToolkitFolder, readManifest, readOperations, readToolkit } from '../read.ts'
import { readTools } from '../tool-files.ts'
import { listFolder, readJson, readText, type ToolkitFiles } from '../toolkit-files.ts'
import { validateFormat } from '../validate-format.ts'
import { lazyReleases } from './lazy-releases.ts'

/**
 * Memory for toolkits with tools and triggers written by hand. All that are shipped fit, in 19 MB: a toolkit that left
 * the memory is read and compiled whole for one of its tools, in tens of milliseconds.
 */
const COMPILED_BYTES_MAX = 32 * 1024 * 1024
/**
 * Memory for each character of the JSON of a manifest. Measured over all toolkits that are shipped: 3.9 bytes for what
 * is compiled from it, and 2 for parameters in the forms of the API.
 */
const MEMORY_PER_CHARACTER = 6

export interface OpenOptions {
  /** Folder with one folder for each toolkit, as released: `patchbay toolkits lint` accepts all of it. */
  folder: string
  /** Default true. False leaves out generated tools. */
  operations?: boolean
  /** Bytes of memory for toolkits with tools and triggers written by hand. */
  compiledBytesMax?: number
}

interface OpenState {
  readonly root: string
  readonly families: FamilyCache
  /** Compiled toolkits by slug, the recently used ones. */
  readonly compiled: LRUCache<string, ToolkitReleases>
  readonly hasOperations: boolean
}

/**
 * Opens the toolkits of a folder. Now it reads what lists of toolkits show; sign-in, tools and triggers of a toolkit
 * are read and checked when they are used, and the use of a toolkit that is damaged fails with 503.
 * @throws ManifestError for a toolkit.json that does not fit the format
 */
export function openCatalog(options: OpenOptions): Catalog {
  const work = openCatalogInSteps(options)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Opens the toolkits of a folder as `openCatalog` does, and yields after each, so that a start can work in between. */
export function* openCatalogInSteps({
  folder,
  operations = true,
  compiledBytesMax,
}: OpenOptions): Generator<void, Catalog> {
  const { root, slugs } = listToolkits(folder)
  const state = createState({ root, hasOperations: operations }, compiledBytesMax)
  const diagnostics: Diagnostic[] = []
  const toolkits: ToolkitReleases[] = []
  for (const slug of slugs) {
    const releases = openToolkit(state, slug, diagnostics)
    if (releases) toolkits.push(releases)
    yield
  }
  if (diagnostics.length > 0) throw new ManifestError(diagnostics)
  return createCatalog(toolkits)
}

/**
 * Returns a function that opens toolkits of a folder one by one, for a thread that reads some of them.
 * @throws ManifestError for a toolkit that cannot be opened
 */
export function folderReader(
  location: Pick<OpenState, 'root' | 'hasOperations'>,
): (slug: string) => ToolkitReleases {
  const state = createState(location)
  return (slug) => {
    const diagnostics: Diagnostic[] = []
    const releases = openToolkit(state, slug, diagnostics)
    if (!releases || diagnostics.length > 0) throw new ManifestError(diagnostics)
    return releases
  }
}

const createState = (
  { root, hasOperations }: Pick<OpenState, 'root' | 'hasOperations'>,
  maxSize = COMPILED_BYTES_MAX,
): OpenState => ({
  root,
  hasOperations,
  families: new Map(),
  compiled: new LRUCache<string, ToolkitReleases>({ maxSize, sizeCalculation: compiledBytes }),
})

/** Returns about how much memory a compiled toolkit needs. */
function compiledBytes({ versions, toolkit, manifests, triggers }: ToolkitReleases): number {
  const parts = versions.flatMap((version) => [
    toolkit(version)?.manifest,
    ...manifests(version),
    ...triggers(version),
  ])
  return (
    parts.reduce<number>((sum, part) => sum + JSON.stringify(part ?? '').length, 0) * MEMORY_PER_CHARACTER
  )
}

function openToolkit(state: OpenState, slug: string, diagnostics: Diagnostic[]): ToolkitReleases | undefined {
  const files = openToolkitFolder(state.root, slug, diagnostics, false)
  const manifest = files && readValidManifest(files, slug, state.families)
  if (!manifest) return undefined
  const operations = state.hasOperations ? readOperations(files, `${slug}/operations.bin`) : undefined
  const hash = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  const curated = lazyReleases({
    manifest,
    olderVersions: listFolder(files, `${slug}/versions`).toReversed(),
    toolCount: countTools(files, slug),
    hasTriggers: files.entries?.has(`${slug}/triggers.json`) ?? true,
    readTools: () => readValidFile(state.root, slug, 'tools', ({ tools }) => tools),
    readTriggers: () => readValidFile(state.root, slug, 'triggers', ({ triggers }) => triggers),
    compiled: () => compiledToolkit(state, slug),
    icon: () => readText({ root: state.root, folder: slug, diagnostics: [] }, `${slug}/icon.svg`) ?? '',
    digest: () => digestOfFolder(state.root, slug, hash),
  })
  const releases = operations ? withOperations(curated, operations) : curated
  return { ...releases, location: { kind: 'folder', root: state.root, hasOperations: state.hasOperations } }
}

function readValidManifest(
  files: ToolkitFiles,
  slug: string,
  families: FamilyCache,
): ToolkitManifest | undefined {
  const read = readManifest(files, slug, families)
  const report = reporterFor(`${slug}/toolkit.json`, files.diagnostics)
  if (!read || !validateFormat('toolkit', read.value, report)) return undefined
  const manifest = read.value as ToolkitManifest
  if (manifest.slug !== slug) report.add('/slug', `must be the name of the folder, \`${slug}\`.`)
  return manifest
}

/** The content of the files with tools and triggers, which fits the format. */
interface ManifestFiles {
  readonly tools: { readonly tools: readonly ToolManifest[] }
  readonly triggers: { readonly triggers: readonly TriggerManifest[] }
}

/** Reads the tools or triggers of the newest release for lists; undefined where they cannot be read. */
function readValidFile<Name extends keyof ManifestFiles, List>(
  root: string,
  slug: string,
  name: Name,
  listOf: (content: ManifestFiles[Name]) => List,
): List | undefined {
  const diagnostics: Diagnostic[] = []
  const files = openToolkitFolder(root, slug, diagnostics)
  const content =
    files &&
    (name === 'tools' ? readTools(files, slug)?.tools : readJson(files, `${slug}/triggers.json`)?.value)
  const isValid =
    content !== undefined &&
    validateFormat(name, content, reporterFor(name, diagnostics)) &&
    !diagnostics.length
  return isValid ? listOf(content as ManifestFiles[Name]) : undefined
}

/** Number of tools that are written by hand. */
function countTools(files: ToolkitFiles, slug: string): number {
  const { length } = listFolder(files, `${slug}/tools`)
  if (length > 0) return length
  const single = readJson(files, `${slug}/tools.json`, 'optional')?.value
  return isObject(single) && Array.isArray(single['tools']) ? single['tools'].length : 0
}

/** Returns a toolkit with its tools and triggers compiled. @throws ApiError 503 where a file is damaged */
function compiledToolkit({ root, families, compiled, hasOperations }: OpenState, slug: string) {
  let releases = compiled.get(slug)
  if (!releases) {
    const diagnostics: Diagnostic[] = []
    const source = readToolkit(root, slug, diagnostics, families)
    releases =
      source &&
      compileSource(hasOperations ? source : { ...source, operations: undefined }, diagnostics)?.releases
    if (!releases || diagnostics.length > 0)
      throw new ApiError(
        'HTTP_ServiceUnavailable',
        `The files of the toolkit ${slug} are damaged. Install the program again.`,
        { cause: new ManifestError(diagnostics) },
      )
    compiled.set(slug, releases)
  }
  return releases
}

/** Returns the digest of what a toolkit says and of its tools. `manifest`: digest of its manifest. */
function digestOfFolder(root: string, slug: string, manifest: string): string {
  const files = openToolkitFolder(root, slug, [])
  const hash = createHash('sha256').update(manifest)
  for (const path of [...(files?.entries?.keys() ?? [])].sort())
    if (/\/(schemas|tools|tools\/[^/]+)\.json$|\/versions\/.*\.json$/.test(path))
      hash.update(`${path}\n`).update(readText(files!, path) ?? '')
  return hash.digest('hex')
}
