import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import { quarantine, openOrWriteCachedToolkit } from '../../catalog/index.ts'
import { type Imported, snapshotPieces } from '../../catalog/importers/index.ts'
import type { PrebuiltToolkit } from '../../features/toolkits/custom/index.ts'

export type PreparedToolkit = Omit<PrebuiltToolkit, 'source' | 'changes'>

/** Characters that are handed on together. */
const PORTION = 256 * 1024

/**
 * An import as it is stored: judged, digested, compressed. Its shelf is made in `cacheDir` too, so that a server on this machine need not make it. Nothing holds the
 * whole text, which is 70 MB for the largest.
 */
export async function prepareToolkit(imported: Imported, cacheDir: string): Promise<PreparedToolkit> {
  const { sound, quarantined } = await quarantine(imported.tools)
  const kept: Imported = { ...imported, tools: sound }
  const hash = createHash('sha256')
  const compressed = await buffer(
    Readable.from(portions(kept, (portion) => hash.update(portion))).pipe(createDeflateRaw()),
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
  let held = ''
  const flushed = () => {
    const portion = Buffer.from(held)
    held = ''
    see(portion)
    return portion
  }
  for (const piece of snapshotPieces(imported)) {
    held += piece
    if (held.length >= PORTION) yield flushed()
  }
  if (held !== '') yield flushed()
}
