import { siblingModule } from '../../platform/module-url.ts'
import { longerSlugs, packSlugs } from '../../catalog/packs/openapi-directory/index.ts'
import type { ConversionResult, ConversionJob } from './convert-thread.ts'
import { documentSource, documentKey, type Pack } from './packs.ts'
import type { Document } from './source.ts'
import {
  announceInstanceToolkits,
  listInstanceToolkits,
  findInstanceOrigins,
  storePrebuilt,
  type PrebuiltOutcome,
  type PrebuiltToolkit,
} from '../../features/toolkits/custom/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { runInThreads } from '../../platform/worker-threads.ts'

export interface AddOptions {
  readonly pack: Pack
  /** All documents of the pack, because slugs depend on all of them. */
  readonly documents: readonly Document[]
  readonly includes: (key: string) => boolean
  /** Also reads documents that are stored. */
  readonly again: boolean
  readonly db: Pool
  /** Milliseconds. */
  readonly now: () => number
  /** Directory of the toolkit cache. */
  readonly toolkitCacheDir: string
  /** Slugs of built-in toolkits. */
  readonly reservedSlugs: ReadonlySet<string>
  readonly threads: number
  /** Maximum number of toolkits in one transaction. */
  readonly batch?: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Documents and bytes that were read, and tools that were created. */
export interface Progress {
  readonly done: number
  readonly all: number
  readonly bytesDone: number
  readonly bytesAll: number
  readonly tools: number
}

export interface AddResult {
  readonly documents: number
  /** Stored in this run; `changed` of them as a new version. */
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Already stored, and not read again. */
  readonly skipped: number
  readonly tools: number
  /** Operations that cannot become tools. */
  readonly left: number
  readonly rejected: readonly { readonly document: string; readonly reason: string }[]
  /** The run was stopped. */
  readonly interrupted: boolean
}

/** The source kind that is stored with versions of toolkits. */
export const SOURCE_KIND = 'pack'

/** Larger documents are read alone: two at a time would need twice the memory. */
const ALONE_BYTES = 10_000_000
const HEAP_MB = { alone: 620, shared: 330 }
/** Limits of one statement. */
const BATCH = { toolkits: 40, bytes: 4_000_000 }

/**
 * Makes a toolkit of the instance from each document of a pack. Stored toolkits stay if the run is stopped,
 * and the next run continues after them.
 */
export async function addPack(options: AddOptions): Promise<AddResult> {
  const { db, signal, threads } = options
  const { chosen, jobs } = await jobsOf(options)
  const run = new PackRun(options, jobs)
  run.reportProgress()
  try {
    // The largest first, so that no thread works alone on one at the end.
    const [large, others] = [true, false].map((isLarge) =>
      jobs
        .filter((job) => run.bytesOf(job) > ALONE_BYTES === isLarge)
        .sort((a, b) => run.bytesOf(b) - run.bytesOf(a)),
    )
    // A thread keeps the heap of its largest document, so each of these gets its own thread.
    for (const job of large!) await runInThreads([job], 1, run.work(HEAP_MB.alone), signal)
    await runInThreads(others!, threads, run.work(HEAP_MB.shared), signal)
  } finally {
    await run.storeRest().finally(() => announceInstanceToolkits(db))
  }
  return run.result(chosen)
}

/** Converts the documents of one run, stores the toolkits, and counts both. */
class PackRun {
  private readonly options: AddOptions
  private readonly jobs: readonly ConversionJob[]
  private readonly bytes: ReadonlyMap<string, number>
  private readonly count = { done: 0, bytesDone: 0, tools: 0, left: 0 }
  private readonly outcomes: Record<PrebuiltOutcome, number> = { added: 0, changed: 0, unchanged: 0 }
  private readonly rejected: { document: string; reason: string }[] = []
  private readonly batch: ReturnType<typeof batches>

  constructor(options: AddOptions, jobs: readonly ConversionJob[]) {
    this.options = options
    this.jobs = jobs
    this.bytes = new Map(options.documents.map((one) => [one.key, one.bytes]))
    this.batch = batches(async (some) => {
      for (const outcome of await storePrebuilt(options.db, some, options.now())) this.outcomes[outcome]++
    }, options.batch ?? BATCH.toolkits)
  }

  bytesOf({ key }: ConversionJob): number {
    return this.bytes.get(key)!
  }

  reportProgress(): void {
    const { done, bytesDone, tools } = this.count
    const bytesAll = this.jobs.reduce((sum, job) => sum + this.bytesOf(job), 0)
    this.options.onProgress({ done, all: this.jobs.length, bytesDone, bytesAll, tools })
  }

  /** The work of the threads. `heapMb`: the heap of each. */
  work(heapMb: number) {
    return {
      script: siblingModule(import.meta.url, 'convert-thread'),
      heapMb,
      onDone: async (answer: ConversionResult, job: ConversionJob) => {
        if ('rejected' in answer) this.rejected.push({ document: job.key, reason: answer.rejected })
        else await this.add(answer, job)
        this.finish(job)
      },
      onCrash: (error: unknown, job: ConversionJob) => {
        this.rejected.push({ document: job.key, reason: `The document cannot be read: ${String(error)}` })
        this.finish(job)
      },
    }
  }

  storeRest(): Promise<void> {
    return this.batch.end()
  }

  result(chosen: number): AddResult {
    return {
      documents: chosen,
      ...this.outcomes,
      skipped: chosen - this.jobs.length,
      tools: this.count.tools,
      left: this.count.left,
      rejected: this.rejected.toSorted((a, b) => (a.document < b.document ? -1 : 1)),
      interrupted: this.count.done < this.jobs.length,
    }
  }

  private async add(
    answer: Exclude<ConversionResult, { readonly rejected: string }>,
    job: ConversionJob,
  ): Promise<void> {
    this.count.tools += answer.prepared.tools
    this.count.left += answer.left
    await this.batch.add({
      ...answer.prepared,
      changes: changesOf(this.options.pack, answer.version),
      source: { kind: SOURCE_KIND, address: job.address },
    })
  }

  private finish(job: ConversionJob): void {
    this.count.done++
    this.count.bytesDone += this.bytesOf(job)
    this.reportProgress()
  }
}

/** Returns the number of chosen documents, and those that must be read. */
async function jobsOf({
  pack,
  db,
  documents,
  reservedSlugs,
  includes,
  again,
  toolkitCacheDir,
}: AddOptions): Promise<{ chosen: number; jobs: ConversionJob[] }> {
  const stored = new Map(
    (await listInstanceToolkits(db, SOURCE_KIND)).map((one) => [documentKey(pack, one.address), one]),
  )
  const slugs = packSlugs(
    documents.map(({ key }) => key),
    reservedSlugs,
    new Map([...stored].flatMap(([key, { slug }]) => (key === undefined ? [] : [[key, slug]]))),
  )
  const longer = longerSlugs([...slugs.values(), ...reservedSlugs])
  const chosen = documents.filter(({ key }) => includes(key))
  const open = chosen.filter(({ key }) => again || stored.get(key)?.address !== documentSource(pack, key))
  const former = await findInstanceOrigins(
    db,
    open.map(({ key }) => slugs.get(key)!),
  )
  return {
    chosen: chosen.length,
    jobs: open.map(({ key, file }) => {
      const slug = slugs.get(key)!
      return {
        key,
        file,
        slug,
        toolkitCacheDir,
        address: documentSource(pack, key),
        isSecond: slug.endsWith('_api') && reservedSlugs.has(slug.slice(0, -'_api'.length)),
        longer: longer.get(slug)!,
        former: former.get(slug),
      }
    }),
  }
}

const changesOf = ({ package: name, version }: Pack, own: string | undefined): string =>
  `${own === undefined ? 'The API' : `Version ${own.slice(0, 60)} of the API`}, as ${name} ${version} describes it.`

/** Collects toolkits, and stores them in one batch at a time. */
function batches(store: (some: readonly PrebuiltToolkit[]) => Promise<void>, most: number) {
  let pending: PrebuiltToolkit[] = []
  let bytes = 0
  let storing: Promise<void> = Promise.resolve()
  const flush = () => {
    const some = pending
    pending = []
    bytes = 0
    return (storing = storing.then(() => (some.length > 0 ? store(some) : undefined)))
  }
  return {
    async add(one: PrebuiltToolkit): Promise<void> {
      pending.push(one)
      bytes += one.content.length
      if (pending.length >= most || bytes >= BATCH.bytes) await flush()
    },
    end: () => flush(),
  }
}
