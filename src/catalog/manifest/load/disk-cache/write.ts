import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { renameFile } from '../../../../platform/rename-file.ts'
import type { ToolEntry } from '../../../types/index.ts'
import {
  compareImportantFirst,
  compileEntry,
  compileTool,
  needsNoAuth,
  toolkitContext,
  type ToolkitContext,
} from '../../compile/tool.ts'
import type { ToolManifest } from '../../format/index.ts'
import { CachedToolkit, cacheFilePath, type OnCacheDamage } from './cached-toolkit.ts'
import {
  compressJson,
  encodeEntries,
  encodeHeader,
  FILE_EXTENSION,
  FORMAT_VERSION,
  type PartLocation,
  type StoredManifest,
} from './file-format.ts'

/** The content of a toolkit that the cache stores. */
export interface CachedToolkitContent {
  readonly toolkit: StoredManifest
  readonly tools: readonly ToolManifest[]
}

/** Number of tools that are compiled before other work gets its turn: about ten milliseconds. */
const TOOLS_PER_TURN = 50
let partFileCount = 0

/**
 * Opens the cache file of a content, and writes it first where it is missing or damaged; `content` is called
 * only then. The file appears whole or not at all, and every process writes the same bytes for the same
 * content. `onDamage` is called when the file is found damaged later; the file is removed then.
 */
export async function openOrWriteCachedToolkit(
  folder: string,
  digest: string,
  content: () => Promise<CachedToolkitContent>,
  onDamage?: OnCacheDamage,
): Promise<CachedToolkit> {
  const existing = CachedToolkit.open(folder, digest, onDamage)
  if (existing) return existing
  await writeCachedToolkit(folder, digest, await content())
  const written = CachedToolkit.open(folder, digest, onDamage)
  if (!written) throw new Error(`A toolkit that was written to ${folder} cannot be read back.`)
  return written
}

/** Only the entry: the compiled tools of a large document take a hundred megabytes. */
interface CompressedTool {
  readonly entry: ToolEntry
  readonly bytes: Buffer
}

async function writeCachedToolkit(
  folder: string,
  digest: string,
  { toolkit, tools }: CachedToolkitContent,
): Promise<void> {
  const { compressed, usedConnection } = await compressTools(tools, toolkitContext(toolkit))
  const manifest = compressJson({ manifest: toolkit, needed: usedConnection })
  const locations: PartLocation[] = []
  let offset = manifest.length
  for (const { bytes } of compressed) {
    locations.push([offset, bytes.length, crc32(bytes)])
    offset += bytes.length
  }
  const toolEntries = compressed.map(({ entry }) => entry)
  const entries = compressJson(encodeEntries(toolEntries, locations))
  const header = encodeHeader({
    format: FORMAT_VERSION,
    digest,
    size: offset + entries.length,
    manifest: [0, manifest.length, crc32(manifest)],
    entries: [offset, entries.length, crc32(entries)],
    summary: {
      slug: toolkit.slug,
      name: toolkit.name,
      description: toolkit.description,
      categories: toolkit.categories,
      appUrl: toolkit.app_url,
      docsUrl: toolkit.docs_url,
      local: toolkit.local ?? false,
      deprecated: toolkit.deprecated ?? false,
      noAuth: needsNoAuth(toolkit),
      toolCount: compressed.length,
    },
  })
  const parts = [header, manifest, ...compressed.map(({ bytes }) => bytes), entries]
  await writeAtomically(folder, cacheFilePath(folder, digest), parts)
}

/**
 * Compresses the tools that the present rules accept. The content was checked when it was stored, perhaps by
 * other rules: a tool that is no longer valid is left out and does not affect the others.
 */
async function compressTools(
  tools: readonly ToolManifest[],
  context: ToolkitContext,
): Promise<{ compressed: CompressedTool[]; usedConnection: string[] }> {
  const usedConnection = new Set<string>()
  const compressed: CompressedTool[] = []
  for (const [index, manifest] of tools.entries()) {
    if (index % TOOLS_PER_TURN === 0) await yieldToEventLoop()
    let valid = true
    try {
      const { tool, use } = compileTool(manifest, index, context, {
        add() {
          valid = false
        },
      })
      if (!valid || (!tool.request && !tool.mcp)) continue
      for (const name of use.usedConnection) usedConnection.add(name)
      compressed.push({ entry: compileEntry(manifest, context.toolkit), bytes: compressJson(manifest) })
    } catch {
      // Left out, as above.
    }
  }
  compressed.sort((a, b) => compareImportantFirst(a.entry, b.entry))
  return { compressed, usedConnection: [...usedConnection].sort() }
}

async function writeAtomically(folder: string, file: string, bytes: readonly Buffer[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const part = `${file}.${process.pid}-${partFileCount++}.part`
  try {
    await writeFile(part, Buffer.concat(bytes))
    await renameFile(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const DIGEST_CHARACTERS = 64
const CACHE_FILE = new RegExp(String.raw`^[0-9a-f]{64}-\d+\.${FILE_EXTENSION}(\.[\d-]+\.part)?$`)
const CURRENT_SUFFIX = `-${FORMAT_VERSION}.${FILE_EXTENSION}`

/**
 * Removes cache files whose content is not in `used`, files of other format versions, and unfinished files of
 * killed processes. `used` is called only where there are files.
 */
export async function removeUnusedCacheFiles(
  folder: string,
  used: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => CACHE_FILE.test(name))
  if (names.length === 0) return
  const digests = await used()
  for (const name of names)
    if (!name.endsWith(CURRENT_SUFFIX) || !digests.has(name.slice(0, DIGEST_CHARACTERS)))
      await rm(join(folder, name), { force: true })
}

/** Returns the digests that have a cache file, valid or not. */
export async function cachedDigests(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch(() => [])
  return new Set(
    names.filter((name) => name.endsWith(CURRENT_SUFFIX)).map((name) => name.slice(0, DIGEST_CHARACTERS)),
  )
}
