import type { Catalog, ResolvedTool } from '../../catalog/index.ts'
import {
  fromRecordedBody,
  createThrottling,
  createEngine,
  type ToolCall,
  recordingKey,
  parseRecording,
  redactCall,
  redactArguments,
  type RecordedCall,
  type RecordedExchange,
  recordExchanges,
} from '../../engine/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressError } from '../../platform/egress/index.ts'
import { StartupError } from '../../platform/startup-error.ts'
import {
  filesInMemory,
  simulatedConnection,
  simulatedEgress,
  worldOf,
} from '../../../simulation/applications/index.ts'

/** What a try came to: what was sent and answered, and what the tool made of it. */
export interface TryResult extends Pick<RecordedCall, 'tool' | 'version' | 'exchanges'> {
  against: 'simulation' | 'cassette'
  arguments: Record<string, unknown>
  successful: boolean
  error: string | null
  data: Record<string, unknown>
}

export interface TryOptions {
  catalog: Catalog
  resolved: ResolvedTool
  slug: string
  notesFolder: string
  requestedArguments: Record<string, unknown> | undefined
  recording: string | undefined
  clock: Clock
}

/** Runs one tool with the engine that the server has, over a way out that leads to no network. @throws StartupError, ApiError */
export async function runSimulated({
  catalog,
  resolved,
  notesFolder,
  requestedArguments,
  recording: cassette,
  clock,
}: TryOptions): Promise<TryResult> {
  const { tool, toolkit } = resolved
  const manifests = toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest)
  const world = worldOf(catalog, notesFolder)
  const takes = cassette === undefined ? undefined : takesFrom(cassette)
  const args =
    requestedArguments ??
    firstOf(takes, tool.slug) ??
    world.applications.get(toolkit.slug)!.exampleArguments(tool.slug, 'required', tool.input)
  const exchanges: RecordedExchange[] = []
  const out = recordExchanges(
    takes ? replaying(takes, tool.slug, args) : simulatedEgress(world.answer),
    exchanges,
  )
  const nobody = () => {
    throw new Error('A try looks up no account.')
  }
  let sent = args
  const { executeTool } = createEngine({
    catalogOf: () => catalog,
    egress: out,
    clock,
    throttling: createThrottling({ clock, wait: async () => {}, share() {} }),
    newLogId: () => 'log_try',
    writeLogRow: async () => {},
    files: filesInMemory(),
    // The arguments are recorded with their defaults.
    policies: {
      async authorize(call) {
        sent = { ...call.arguments }
        return undefined
      },
      allowsFollowUp: async () => true,
    },
    accounts: {
      findById: nobody,
      findForUser: nobody,
      refreshToken: nobody,
      recordRejection: nobody,
      clearRejections: nobody,
    },
  })
  const customConnection = simulatedConnection(toolkit, manifests)
  const execution: ToolCall = {
    projectId: 'pr_try',
    settings: { checkOwner: false, maskSecrets: true, storePayloads: false, fileUrlSeconds: 3_600 },
    toolSlug: tool.slug,
    version: 'latest',
    arguments: structuredClone(args),
    ...(customConnection && { customConnection }),
    requestId: 'try',
    source: null,
    signal: new AbortController().signal,
  }
  const { data, error, successful } = await executeTool(execution)
  const take = redactCall(
    {
      tool: tool.slug,
      version: resolved.version,
      arguments: sent,
      exchanges,
      result: { data, error, successful, statusCode: null },
    },
    (text: string) => text,
  )
  return {
    against: takes ? 'cassette' : 'simulation',
    tool: take.tool,
    version: take.version,
    arguments: execution.arguments,
    exchanges: take.exchanges,
    successful,
    error,
    data,
  }
}

function takesFrom(text: string): RecordedCall[] {
  try {
    return parseRecording(text)
  } catch (error) {
    throw new StartupError(
      `This is no cassette: ${(error as Error).message}.`,
      '`patchbay record` makes one.',
      { exitCode: 2, cause: error },
    )
  }
}

const firstOf = (
  takes: readonly RecordedCall[] | undefined,
  tool: string,
): Record<string, unknown> | undefined => {
  const take = takes?.find((one) => one.tool === tool)
  return take && { ...take.arguments }
}

/** Answers from the recorded exchanges of the call, one after another. */
function replaying(takes: readonly RecordedCall[], tool: string, args: Record<string, unknown>): Egress {
  const take = takes.find(
    (one) => recordingKey(one.tool, one.arguments) === recordingKey(tool, redactArguments(args)),
  )
  if (!take)
    throw new StartupError(
      `The cassette has no call of ${tool} with these arguments.`,
      `It has calls of ${[...new Set(takes.map((one) => one.tool))].slice(0, 10).join(', ')}.`,
      { exitCode: 2 },
    )
  let next = 0
  return {
    async send({ url }) {
      const exchange = take.exchanges[next++]
      if (!exchange)
        throw new EgressError(
          'connect',
          `${new URL(url).host}: the cassette has ${take.exchanges.length} exchange${take.exchanges.length === 1 ? '' : 's'} of this call, and the tool wants one more.`,
        )
      return {
        status: exchange.answer.status,
        headers: { ...exchange.answer.headers },
        body: fromRecordedBody(exchange.answer.body),
        url: String(url),
      }
    },
    check() {},
    async close() {},
    stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
  }
}
