import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import { quarantine, openOrWriteCachedToolkit } from '../../catalog/index.ts'
import { type Imported, snapshotPieces } from '../../catalog/importers/index.ts'
import type { PrebuiltToolkit } from '../../features/toolkits/custom/index.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'

export type PreparedToolkit = Omit<PrebuiltToolkit, 'source' | 'changes'>

/** Characters that are compressed together. */
const PORTION = 256 * 1024

/**
 * Validates, hashes and compresses an import for storage, and adds it to the toolkit cache in `cacheDir`, so
 * that a server on this machine does not need to. The whole text, which is 70 MB for the largest, is never in
 * memory.
 */
export async function prepareToolkit(imported: Imported, cacheDir: string): Promise<PreparedToolkit> {
  const { sound, quarantined } = await runInSlices(quarantine(imported.tools))
  const valid: Imported = { ...imported, tools: sound }
  const hash = createHash('sha256')
  const compressed = await buffer(
    Readable.from(portions(valid, (portion) => hash.update(portion))).pipe(createDeflateRaw()),
  )
  const digest = hash.digest('hex')
  await openOrWriteCachedToolkit(cacheDir, digest, async () => ({ toolkit: imported.toolkit, tools: sound }))
  return {
    slug: imported.toolkit.slug,
    digest,
    content: new Uint8Array(compressed),
    tools: sound.length,
    origins: imported.origins,
    quarantined,
  }
}

function* portions(imported: Imported, see: (portion: Buffer) => void): Generator<Buffer> {
  let pending = ''
  const flushed = () => {
    const portion = Buffer.from(pending)
    pending = ''
    see(portion)
    return portion
  }
  for (const piece of snapshotPieces(imported)) {
    pending += piece
    if (pending.length >= PORTION) yield flushed()
  }
  if (pending !== '') yield flushed()
}
