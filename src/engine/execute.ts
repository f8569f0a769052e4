import { inProject, type Shared } from '../catalog/index.ts'
import { toApiError } from '../platform/http/failures.ts'
import { admit, type Admitted } from './pipeline/admit.ts'
import { chooseConnection } from './pipeline/choose-connection.ts'
import { dryRun } from './pipeline/dry-run.ts'
import { findTool } from './pipeline/find-tool.ts'
import { freshCredentials, isStale } from './pipeline/fresh-credentials.ts'
import { argumentReader } from './pipeline/read-arguments.ts'
import { readPages } from './pipeline/read-pages.ts'
import { rowOf } from './pipeline/record.ts'
import { mcpRunner } from './pipeline/run-mcp.ts'
import { runTool } from './pipeline/run-tool.ts'
import { failure } from './pipeline/shape-result.ts'
import { needModel, type Text, textToArguments } from './pipeline/text-to-arguments.ts'
import { timed, traced, traces } from './pipeline/trace.ts'
import type { Connection, EngineDeps, Execution, FoundTool, PagesRead, Result } from './types.ts'

export interface Executed {
  data: Record<string, unknown>
  error: string | null
  successful: boolean
  logId: string
  paging?: PagesRead
  /** Nothing was sent: it waits for a person, or one said no. */ held?: true
  blocked?: Result['blocked']
}

/** Runs one tool call. The steps, in order; each throws an ApiError or hands its result to the next. */
export function engine(shared: Shared<EngineDeps>) {
  const readArguments = argumentReader()
  const newTrace = traces(shared.clock)
  const runMcp = mcpRunner()

  return async function execute(given: Execution): Promise<Executed> {
    const trace = newTrace()
    const deps = await inProject<EngineDeps>(shared, given.projectId)
    const logId = given.logId ?? deps.newLogId()
    const found = findTool(deps.catalog, given)
    const execution: Execution = {
      ...given,
      run: { key: logId, deadlineAt: trace.startedAt + deadlineMs(found), keys: 0 },
    }
    if (execution.text !== undefined) needModel(deps.model)
    let connection: Connection = { kind: 'none' }
    const row = (result?: Result) =>
      rowOf({ logId, execution, found, connection, trace, ...(result ? { result } : {}) })
    const taking = deps.tape?.take?.(execution)
    // A call that may change something is written down before it is sent: whatever happens then, the log knows of it.
    const out = {
      ...deps,
      egress: traced(
        taking ? taking.through(deps.egress) : deps.egress,
        trace,
        found.tool.effect === 'read' ? undefined : begin,
      ),
    }
    try {
      if (!deps.tape?.replay)
        connection = await timed(trace, 'account', chooseConnection(deps, execution, found))
      const refused =
        execution.text === undefined ? undefined : await timed(trace, 'model', fill(execution.text))
      const mistake = refused ?? readArguments(found, execution.arguments)
      const { held, after }: Admitted = mistake
        ? {}
        : await admit(
            deps,
            {
              catalog: deps.catalog,
              execution,
              found,
              connection,
              logId,
              arguments: execution.arguments,
              isProxy: false,
            },
            readArguments,
          )
      const made = mistake ?? held?.answered ?? deps.tape?.replay?.(found, execution) ?? (await run())
      const result = (await after?.(made)) ?? made
      taking?.end(found, execution, connection, result)
      await record(held?.recorded ?? result)
      return {
        data: result.data,
        error: result.error,
        successful: result.successful,
        logId,
        ...(result.paging && { paging: result.paging }),
        ...(held && { held: true }),
        ...(result.blocked && { blocked: result.blocked }),
      }
    } catch (error) {
      const failure = toApiError(error)
      await record({ data: {}, error: failure.message, successful: false, statusCode: null })
      throw failure
    }

    /** The task in words becomes arguments, or a failure that says what it lacks. */
    async function fill(text: Text): Promise<Result | undefined> {
      const filled = await textToArguments(deps.model, found, text, readArguments, execution.signal)
      if ('error' in filled) return failure(null, filled.error)
      Object.assign(execution.arguments, filled.arguments)
      return undefined
    }

    async function begin(): Promise<void> {
      await deps.record(row())
      execution.onEffect?.()
    }

    async function run(): Promise<Result> {
      if (execution.dryRun)
        return dryRun(
          deps,
          connection,
          connection.kind === 'account' && isStale(connection.account, deps.clock.now()),
          (stopped) => runTool(stopped, execution, found, connection, runMcp),
        )
      connection = await timed(trace, 'credentials', freshCredentials(deps, execution, connection))
      return (execution.paging ? readPages : runTool)(out, execution, found, connection, runMcp)
    }

    /** The caller hears what happened even when it cannot be written down: the mail is sent, and a failure would have it sent again. */
    async function record(result: Result): Promise<void> {
      try {
        await deps.record(row(result))
      } catch (error) {
        execution.log?.error(
          { err: error, log_id: logId, request_id: execution.requestId },
          'the log row of an execution could not be written',
        )
      }
    }
  }
}

/** For all that a call does, waits and repetitions included; a tool whose one request may take longer has as long as that. */
const DEADLINE_MS = 60_000

const deadlineMs = ({ tool, toolkit }: FoundTool): number =>
  Math.max(DEADLINE_MS, (tool.request?.timeoutSeconds ?? toolkit.timeoutSeconds ?? 0) * 1_000)

export type Execute = ReturnType<typeof engine>
