import type { Catalog, Toolkit } from '../../../src/catalog/index.ts'
import { createEngine, createThrottling, type ToolCall } from '../../../src/engine/index.ts'
import {
  type Exchanged,
  filesInMemory,
  simulatedEgress,
  type WireReply,
  type WireRequest,
} from '../../../simulation/applications/index.ts'

/** One call of a tool: its result, what the engine sent, and the arguments with their defaults. */
export interface ToolRun {
  readonly successful: boolean
  readonly error: string | null
  readonly data: unknown
  readonly sent: Readonly<Record<string, unknown>>
  readonly exchanged: readonly Exchanged[]
}

export interface RunRequest {
  readonly slug: string
  readonly args: Readonly<Record<string, unknown>>
  readonly connection: unknown
  readonly answer: (request: WireRequest) => WireReply
  /** Number of pages that are read; undefined for one without following. */
  readonly pages?: number | undefined
}

/** Runs tools of a catalogue against simulated applications, with the engine of the server. */
export function toolRunner(catalog: Catalog): (request: RunRequest) => Promise<ToolRun> {
  let current: Omit<RunRequest, 'slug' | 'args' | 'connection'> & { exchanged: Exchanged[] }
  let sent: Record<string, unknown> = {}
  const { executeTool } = createEngine({
    ...engineDeps(catalog),
    egressOf: async () =>
      simulatedEgress(
        (request) => current.answer(request),
        (one) => current.exchanged.push(one),
      ),
    policies: {
      async authorize(call) {
        sent = { ...call.arguments }
        return undefined
      },
      allowsFollowUp: async () => true,
    },
  })
  return async ({ slug, args, connection, answer, pages }) => {
    current = { answer, exchanged: [] }
    sent = { ...args }
    const call = {
      projectId: 'pr_1',
      settings: { storePayloads: false, checkOwner: false },
      toolSlug: slug,
      version: 'latest',
      arguments: structuredClone(args),
      customConnection: connection,
      ...(pages !== undefined && { paging: { maxPages: pages, maxItems: 1_000 } }),
      requestId: 'r',
      source: null,
      signal: new AbortController().signal,
    } as unknown as ToolCall
    try {
      const { data, error, successful } = await executeTool(call)
      return { data, error, successful, sent, exchanged: current.exchanged }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { data: undefined, error: message, successful: false, sent, exchanged: current.exchanged }
    }
  }
}

type EngineParts = Omit<Parameters<typeof createEngine>[0], 'egressOf' | 'policies'>

function engineDeps(catalog: Catalog): EngineParts {
  const nobody = (): never => {
    throw new Error('A simulated call has no stored account.')
  }
  const clock = { now: () => Date.now() }
  return {
    catalogOf: () => catalog,
    clock,
    throttling: createThrottling({ clock, wait: async () => {}, share() {} }),
    newLogId: () => 'log_1',
    writeLogRow: async () => {},
    files: filesInMemory(),
    accounts: {
      findById: nobody,
      findForUser: nobody,
      refreshToken: nobody,
      recordRejection: nobody,
      clearRejections: nobody,
    },
  }
}

/** The tools of a toolkit that were generated, by slug. */
export const generatedSlugs = (catalog: Catalog, { slug, version }: Toolkit): string[] =>
  [...catalog.manifests(slug, version)].filter(({ source }) => source !== undefined).map((tool) => tool.slug)
