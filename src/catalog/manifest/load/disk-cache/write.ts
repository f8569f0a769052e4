import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { compileTool, compareImportantFirst, needsNoAuth, toolkitContext } from '../../compile/toolkit.ts'
import type { ToolManifest } from '../../format/index.ts'
import type { Tool } from '../../../types/index.ts'
import {
  encodeHeader,
  encodeEntries,
  FORMAT_VERSION,
  compressJson,
  type PartLocation,
  type StoredManifest,
} from './file-format.ts'
import { type OnCacheDamage, CachedToolkit, cacheFilePath } from './cached-toolkit.ts'

/** What is kept of a toolkit: the content of a snapshot. */
export interface CachedToolkitContent {
  readonly toolkit: StoredManifest
  readonly tools: readonly ToolManifest[]
}

/** So many tools are made before others have their turn: about ten milliseconds. */
const TOOLS_A_TURN = 50
let partFileCount = 0

/**
 * The shelf of a content, from its file when that is sound, else made: `content` is asked for only then. The file appears whole or not at all, and whoever else
 * makes the same makes the same file. `damaged` is told when the file is found damaged later; it is gone then.
 */
export async function openOrWriteCachedToolkit(
  folder: string,
  digest: string,
  content: () => Promise<CachedToolkitContent>,
  damaged?: OnCacheDamage,
): Promise<CachedToolkit> {
  const found = CachedToolkit.open(folder, digest, damaged)
  if (found) return found
  await writeCachedToolkit(folder, digest, await content())
  const made = CachedToolkit.open(folder, digest, damaged)
  if (!made) throw new Error(`A toolkit that was written to ${folder} cannot be read back.`)
  return made
}

async function writeCachedToolkit(
  folder: string,
  digest: string,
  { toolkit, tools }: CachedToolkitContent,
): Promise<void> {
  const surroundings = toolkitContext(toolkit)
  const needed = new Set<string>()
  const made: { tool: Tool; bytes: Buffer }[] = []
  for (const [at, manifest] of tools.entries()) {
    if (at % TOOLS_A_TURN === 0) await turn()
    let sound = true
    try {
      const { tool, use } = compileTool(manifest, at, surroundings, {
        add() {
          sound = false
        },
      })
      // It was judged when it was stored, by rules that may have been others; one tool that is no longer understood keeps no other from working.
      if (!sound || (!tool.request && !tool.mcp)) continue
      for (const name of use.usedConnection) needed.add(name)
      made.push({ tool, bytes: compressJson(manifest) })
    } catch {
      /* as above */
    }
  }
  made.sort((a, b) => compareImportantFirst(a.tool, b.tool))
  const manifest = compressJson({ manifest: toolkit, needed: [...needed].sort() })
  const places: PartLocation[] = []
  let offset = manifest.length
  for (const { bytes } of made) {
    places.push([offset, bytes.length, crc32(bytes)])
    offset += bytes.length
  }
  const entries = compressJson(
    encodeEntries(
      made.map(({ tool }) => tool),
      places,
    ),
  )
  const head = encodeHeader({
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
      toolCount: made.length,
    },
  })
  await writeAtomically(folder, cacheFilePath(folder, digest), [
    head,
    manifest,
    ...made.map(({ bytes }) => bytes),
    entries,
  ])
}

async function writeAtomically(folder: string, file: string, bytes: readonly Buffer[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const part = `${file}.${process.pid}-${partFileCount++}.part`
  try {
    await writeFile(part, Buffer.concat(bytes))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Removes the shelves whose content is none of `wanted`, and what a process that was killed left. No more than a look when there are none. */
export async function removeUnusedCacheFiles(
  folder: string,
  wanted: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => CACHE_FILE.test(name))
  if (names.length === 0) return
  const keep = await wanted()
  for (const name of names)
    if (!name.endsWith(`-${FORMAT_VERSION}.shelf`) || !keep.has(name.slice(0, DIGEST_CHARACTERS)))
      await rm(join(folder, name), { force: true })
}

/** The digests of which there is a shelf, sound or not. */
export async function cachedDigests(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch(() => [])
  return new Set(
    names
      .filter((name) => name.endsWith(`-${FORMAT_VERSION}.shelf`))
      .map((name) => name.slice(0, DIGEST_CHARACTERS)),
  )
}

const DIGEST_CHARACTERS = 64
const CACHE_FILE = /^[0-9a-f]{64}-\d+\.shelf(\.[\d-]+\.part)?$/
