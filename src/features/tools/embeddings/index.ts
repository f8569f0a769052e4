import {
  type Catalog,
  searchOf,
  type Segment,
  type Similarity,
  type ToolVectors,
} from '../../../catalog/index.ts'
import type { Wait } from '../../../platform/clock.ts'
import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { EmbeddingModel } from '../../../platform/llm/index.ts'
import type { Logger } from '../../../platform/log.ts'
import { loadVectors, type VectorTarget } from './load-vectors.ts'
import { createRequestVectors } from './request-vectors.ts'
import type { VectorOwner } from './store.ts'

export interface ToolEmbeddingDeps {
  readonly db: Db
  readonly model: EmbeddingModel
  /** The toolkits that all projects share. */
  readonly instance: () => Catalog
  readonly wait: Wait
  readonly log: Logger
  /** How long a search waits for the vector of its request, in milliseconds. */
  readonly waitMs?: number | undefined
}

/** Returns the similarity of the tools of a catalogue to a request; undefined without usable vectors. */
export type SimilarityTo = (
  projectId: string,
  catalog: Catalog,
  text: string,
) => Promise<Similarity | undefined>

export interface ToolEmbeddings {
  readonly similarityTo: SimilarityTo
  /** Loads or makes the vectors of the instance in the background. Its search must be prepared. */
  prepare(): void
  /** Waits until no vector is loaded or made. For tests. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** The vectors of tools: those of the instance, and those of a project from its first search on. */
export function createToolEmbeddings(deps: ToolEmbeddingDeps): ToolEmbeddings {
  const { model, instance, log } = deps
  const stopping = new AbortController()
  const requestVectorOf = createRequestVectors(deps)
  const vectorsBySegment = new WeakMap<Segment, ToolVectors>()
  const known = new WeakSet<Segment>()
  let work: Promise<void> = Promise.resolve()

  function add(catalog: Catalog, owner: VectorOwner, segments: readonly Segment[]): void {
    for (const segment of segments) {
      if (known.has(segment)) continue
      known.add(segment)
      const target: VectorTarget = {
        segment,
        owner,
        catalog,
        onVectors: (vectors) => vectorsBySegment.set(segment, vectors),
      }
      work = work
        // Vectors of the instance serve all projects, and the caller that starts this waits for none.
        .then(() => runOutsideProjects(() => loadVectors({ ...deps, signal: stopping.signal }, target)))
        .catch((error: unknown) => {
          known.delete(segment)
          log.warn({ err: error }, 'vectors of tools could not be loaded; the next search tries again')
        })
    }
  }

  return {
    async similarityTo(projectId, catalog, text) {
      const shared = searchOf(instance()).segments
      const { segments } = searchOf(catalog)
      add(instance(), null, shared)
      add(
        catalog,
        projectId,
        segments.filter((segment) => !shared.includes(segment)),
      )
      if (!segments.some((segment) => vectorsBySegment.has(segment))) return undefined
      const request = await requestVectorOf(text)
      return request && { request, vectorsOf: (segment) => vectorsBySegment.get(segment) }
    },
    prepare: () => add(instance(), null, searchOf(instance()).segments),
    idle: () => work,
    async close() {
      stopping.abort()
      await work
      await model.close()
    },
  }
}
