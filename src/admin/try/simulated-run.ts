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

/** Requests and responses of a run, and the result of the tool. */
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

/** Runs one tool with the engine of the server, without a network. @throws StartupError, ApiError */
export async function runSimulated(options: TryOptions): Promise<TryResult> {
  const { catalog, resolved, notesFolder, requestedArguments, recording } = options
  const { tool, toolkit } = resolved
  const world = worldOf(catalog, notesFolder)
  const calls = recording === undefined ? undefined : parseCalls(recording)
  const args =
    requestedArguments ??
    firstOf(calls, tool.slug) ??
    world.applications.get(toolkit.slug)!.exampleArguments(tool.slug, 'required', tool.input)
  const exchanges: RecordedExchange[] = []
  const egress = recordExchanges(
    calls ? replaying(calls, tool.slug, args) : simulatedEgress(world.answer),
    exchanges,
  )
  const { executeTool, sentArguments } = localEngine(options, egress)
  const { data, error, successful } = await executeTool(executionOf(options, args))
  const call = redactCall(
    {
      tool: tool.slug,
      version: resolved.version,
      arguments: sentArguments() ?? args,
      exchanges,
      result: { data, error, successful, statusCode: null },
    },
    (text: string) => text,
  )
  return {
    against: calls ? 'cassette' : 'simulation',
    tool: call.tool,
    version: call.version,
    arguments: args,
    exchanges: call.exchanges,
    successful,
    error,
    data,
  }
}

const noAccount = () => {
  throw new Error('A run without a server has no accounts.')
}

/** An engine without a database. `sentArguments` returns the arguments of the last call, with their defaults. */
function localEngine({ catalog, clock }: TryOptions, egress: Egress) {
  let sent: Record<string, unknown> | undefined
  const { executeTool } = createEngine({
    catalogOf: () => catalog,
    egressOf: async () => egress,
    clock,
    throttling: createThrottling({ clock, wait: async () => {}, share() {} }),
    newLogId: () => 'log_try',
    writeLogRow: async () => {},
    files: filesInMemory(),
    policies: {
      async authorize(call) {
        sent = { ...call.arguments }
        return undefined
      },
      allowsFollowUp: async () => true,
    },
    accounts: {
      findById: noAccount,
      findForUser: noAccount,
      refreshToken: noAccount,
      recordRejection: noAccount,
      clearRejections: noAccount,
    },
  })
  return { executeTool, sentArguments: () => sent }
}

function executionOf({ catalog, resolved }: TryOptions, args: Record<string, unknown>): ToolCall {
  const { tool, toolkit } = resolved
  const manifests = toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest)
  const customConnection = simulatedConnection(toolkit, manifests)
  return {
    projectId: 'pr_try',
    settings: {
      checkOwner: false,
      maskSecrets: true,
      storePayloads: false,
      ranksByUse: false,
      fileUrlSeconds: 3_600,
    },
    toolSlug: tool.slug,
    version: 'latest',
    arguments: structuredClone(args),
    ...(customConnection && { customConnection }),
    requestId: 'try',
    source: null,
    signal: new AbortController().signal,
  }
}

function parseCalls(text: string): RecordedCall[] {
  try {
    return parseRecording(text)
  } catch (error) {
    throw new StartupError(
      `This is not a recording: ${(error as Error).message}.`,
      '`patchbay record` makes one.',
      { exitCode: 2, cause: error },
    )
  }
}

const firstOf = (
  calls: readonly RecordedCall[] | undefined,
  tool: string,
): Record<string, unknown> | undefined => {
  const call = calls?.find((one) => one.tool === tool)
  return call && { ...call.arguments }
}

/** Answers from the recorded exchanges of the call, one after another. */
function replaying(calls: readonly RecordedCall[], tool: string, args: Record<string, unknown>): Egress {
  const call = calls.find(
    (one) => recordingKey(one.tool, one.arguments) === recordingKey(tool, redactArguments(args)),
  )
  if (!call)
    throw new StartupError(
      `The recording has no call of ${tool} with these arguments.`,
      `It has calls of ${[...new Set(calls.map((one) => one.tool))].slice(0, 10).join(', ')}.`,
      { exitCode: 2 },
    )
  let next = 0
  return {
    async send({ url }) {
      const exchange = call.exchanges[next++]
      if (!exchange)
        throw new EgressError(
          'connect',
          `${new URL(url).host}: the recording has ${call.exchanges.length} ` +
            `request${call.exchanges.length === 1 ? '' : 's'} of this call, and the tool sends one more.`,
        )
      return {
        status: exchange.answer.status,
        headers: { ...exchange.answer.headers },
        body: fromRecordedBody(exchange.answer.body),
        url: String(url),
      }
    },
    check() {},
    lease: () => ({ add: () => true, release() {} }),
    async close() {},
    stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
  }
}
