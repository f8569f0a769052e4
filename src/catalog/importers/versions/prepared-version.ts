import { createHash } from 'node:crypto'
import type { ToolManifest } from '../../manifest/format/index.ts'
import { quarantine, type Quarantined } from '../../manifest/load/quarantine.ts'
import { runToEnd } from '../../../platform/run-to-end.ts'
import type { Imported } from '../imported.ts'
import { isSameJson } from './canonical-json.ts'
import { compareContents, type Comparison } from './comparison.ts'
import { CONTENT_BYTES_MAX, packContent, readContent, type VersionContent } from './content.ts'
import { snapshotPieces } from './snapshot.ts'

/** The newest version of a toolkit before an import. */
export interface PreviousVersion {
  /** SHA-256 of the JSON of its content, in hexadecimal. */
  readonly digest: string
  /** Its compressed content. */
  readonly content: Uint8Array
  /** JSON of the slugs that all imports of the toolkit gave, by operation. */
  readonly origins: string
}

/**
 * An import as a version that can be stored. The server handles a thousand tools as bytes: as objects they would be
 * copied by collections of garbage, while all other requests wait.
 */
export interface PreparedVersion extends Omit<Imported, 'tools' | 'origins'> {
  /** JSON of the slugs of tools, by operation. */
  readonly origins: string
  /** Slugs of the tools, without those in `quarantined`. */
  readonly tools: readonly string[]
  /** Tools that no model vendor accepts. They are not part of the version. */
  readonly quarantined: readonly Quarantined[]
  /** Compressed content; empty if it is larger than CONTENT_BYTES_MAX. */
  readonly content: Uint8Array
  /** SHA-256 of the JSON of the content, in hexadecimal. */
  readonly digest: string
  /** Bytes of this JSON. */
  readonly size: number
  /** The changes since the previous version, with its digest. */
  readonly compared: (Comparison & Pick<PreviousVersion, 'digest'>) | undefined
}

/**
 * Checks the tools, compares them with the previous version and compresses the content. 1 to 2 ms per tool: done where
 * no request waits for it.
 */
export async function prepareVersion(
  imported: Imported,
  previous: PreviousVersion | undefined,
): Promise<PreparedVersion> {
  const before = previous && (await readContent(previous.content))
  const { sound, quarantined } = runToEnd(quarantine(imported.tools, isToolOf(before)))
  const valid = { ...imported, tools: sound }
  const json = Buffer.from([...snapshotPieces(valid)].join(''))
  return {
    ...imported,
    origins: JSON.stringify(imported.origins),
    tools: sound.map(({ slug }) => slug),
    quarantined,
    content: json.length > CONTENT_BYTES_MAX ? new Uint8Array() : await packContent(json),
    digest: createHash('sha256').update(json).digest('hex'),
    size: json.length,
    compared: before && { ...compareContents(before, valid), digest: previous.digest },
  }
}

/** Returns whether the version has a tool with the same arguments: it then stays, in spite of a fault. */
function isToolOf(version: VersionContent | undefined): (tool: ToolManifest) => boolean {
  const inputs = new Map(version?.tools.map(({ slug, input }) => [slug, input]))
  return ({ slug, input }) => inputs.has(slug) && isSameJson(inputs.get(slug), input)
}
