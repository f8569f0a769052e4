import { setImmediate as turn } from 'node:timers/promises'
import {
  type Catalog,
  createToolVectors,
  embeddingText,
  packVector,
  searchToolkit,
  type Segment,
  textDigest,
  textDigestOf,
  type ToolVectors,
} from '../../../catalog/index.ts'
import type { Wait } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { type EmbeddingModel, TEXTS_MAX } from '../../../platform/llm/index.ts'
import type { Logger } from '../../../platform/log.ts'
import { findVectors, insertVectors, type VectorOwner } from './store.ts'

const ROWS_PER_QUERY = 1_000
const TIMEOUT_MS = 60_000
const RETRY_MS = 30_000
const RETRY_MS_MAX = 900_000
/** A batch that failed so often is left out until the next start: the model may reject one of its texts. */
const ATTEMPTS_MAX = 5

export interface LoadVectorsDeps {
  readonly db: Db
  readonly model: EmbeddingModel
  readonly wait: Wait
  readonly log: Logger
  readonly signal: AbortSignal
}

/** An index whose tools get vectors. */
export interface VectorTarget {
  readonly segment: Segment
  readonly owner: VectorOwner
  /** Has the texts of the tools. */
  readonly catalog: Catalog
  /** Receives the vectors as soon as there is one. */
  onVectors(vectors: ToolVectors): void
}

interface MissingText {
  readonly tool: number
  readonly text: string
  readonly digest: string
}

/** Loads the stored vectors of an index, and makes and stores the missing ones. Ends when the signal fires. */
export async function loadVectors(deps: LoadVectorsDeps, target: VectorTarget): Promise<void> {
  const { segment } = target
  let vectors: ToolVectors | undefined
  const set = (tool: number, packed: Uint8Array) => {
    if (!vectors) {
      vectors = createToolVectors(segment.slugs.length, packed.length * 2)
      target.onVectors(vectors)
    }
    vectors.set(tool, packed)
  }
  const missing = await loadStored(deps, target, set)
  let batch: MissingText[] = []
  for await (const text of missingTexts(target, missing)) {
    if (deps.signal.aborted) return
    batch.push(text)
    if (batch.length < TEXTS_MAX) continue
    await addBatch(deps, target, batch, set)
    batch = []
  }
  if (batch.length > 0 && !deps.signal.aborted) await addBatch(deps, target, batch, set)
}

type SetVector = (tool: number, packed: Uint8Array) => void

/** Sets the vectors that are stored. Returns the numbers of the other tools. */
async function loadStored(
  { db, model, signal }: LoadVectorsDeps,
  { segment, owner }: VectorTarget,
  set: SetVector,
): Promise<Set<number>> {
  const missing = new Set<number>()
  for (let from = 0; from < segment.slugs.length && !signal.aborted; from += ROWS_PER_QUERY) {
    const to = Math.min(segment.slugs.length, from + ROWS_PER_QUERY)
    const digests = Array.from({ length: to - from }, (_, at) => textDigestOf(segment, from + at))
    const rows = await findVectors(db, owner, model.name, [...new Set(digests)])
    const stored = new Map(rows.map(({ digest, vector }) => [digest, vector]))
    digests.forEach((digest, at) => {
      const vector = stored.get(digest)
      if (vector) set(from + at, vector)
      else missing.add(from + at)
    })
  }
  return missing
}

/** The texts of tools without a vector. Tools whose text changed since the index was built are left out. */
async function* missingTexts(
  { segment, catalog }: VectorTarget,
  missing: ReadonlySet<number>,
): AsyncGenerator<MissingText> {
  for (const { slug, from, to } of segment.toolkits) {
    const tools = Array.from({ length: to - from }, (_, at) => from + at).filter((tool) => missing.has(tool))
    if (tools.length === 0 || !catalog.toolkit(slug)) continue
    const toolkit = searchToolkit(catalog, slug)
    for (const tool of tools) {
      const document = toolkit.tools[tool - from]
      const text = document && embeddingText(document, toolkit.name)
      const digest = textDigestOf(segment, tool)
      if (text !== undefined && textDigest(text).toString('hex') === digest) yield { tool, text, digest }
    }
    await turn()
  }
}

/** Makes and stores the vectors of some texts. Waits after a failure, longer each time. */
async function addBatch(
  { db, model, wait, log, signal }: LoadVectorsDeps,
  { owner }: VectorTarget,
  batch: readonly MissingText[],
  set: SetVector,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && !signal.aborted; attempt++) {
    try {
      const vectors = await model.embed(
        batch.map(({ text }) => text),
        { timeoutMs: TIMEOUT_MS, signal },
      )
      const packed = batch.map(({ tool, digest }, at) => ({ tool, digest, vector: packVector(vectors[at]!) }))
      await insertVectors(db, owner, model.name, packed)
      for (const { tool, vector } of packed) set(tool, vector)
      return
    } catch (error) {
      if (signal.aborted) return
      const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (attempt - 1))
      log.warn(
        { err: error, tools: batch.length, attempt },
        attempt < ATTEMPTS_MAX
          ? `vectors of tools could not be made; the next attempt is in ${waitMs / 1_000} s`
          : 'vectors of tools could not be made; these tools are searched by words only until the next start',
      )
      if (attempt < ATTEMPTS_MAX) await wait(waitMs, signal).catch(() => {})
    }
  }
}
