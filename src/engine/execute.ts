import { toApiError } from '../platform/http/failures.ts'
import { chooseConnection } from './steps/choose-connection.ts'
import { findTool } from './steps/find-tool.ts'
import { freshCredentials } from './steps/fresh-credentials.ts'
import { argumentReader } from './steps/read-arguments.ts'
import { rowOf } from './steps/record.ts'
import { runTool } from './steps/run-tool.ts'
import type { Connection, EngineDeps, Execution, FoundTool, Result } from './types.ts'

export interface Executed { data: Record<string, unknown>, error: string | null, successful: boolean, logId: string }

/** Runs one tool call. The steps, in order; each throws an ApiError or hands its result to the next. */
export function engine(deps: EngineDeps) {
  const readArguments = argumentReader()

  return async function execute(execution: Execution): Promise<Executed> {
    const startedAt = deps.clock.now()
    const logId = deps.newLogId()
    const found = findTool(deps.catalog, execution)
    let connection: Connection = { kind: 'none' }
    try {
      connection = await chooseConnection(deps, execution, found)
      const mistakes = readArguments(found, execution.arguments)
      const result = mistakes ?? await run(execution, found, connection = await freshCredentials(deps, execution, connection))
      await record(result)
      return { data: result.data, error: result.error, successful: result.successful, logId }
    } catch (error) {
      const failure = toApiError(error)
      await record({ data: {}, error: failure.message, successful: false, statusCode: null })
      throw failure
    }

    function run(execution: Execution, found: FoundTool, connection: Connection): Promise<Result> {
      return runTool(deps, execution, found, connection)
    }

    /** The caller hears what happened even when it cannot be written down: the mail is sent, and a failure would have it sent again. */
    async function record(result: Result): Promise<void> {
      try {
        await deps.record(rowOf({ logId, execution, found, connection, result, durationMs: deps.clock.now() - startedAt }))
      } catch (error) {
        execution.log?.error({ err: error, log_id: logId, request_id: execution.requestId }, 'the log row of an execution could not be written')
      }
    }
  }
}

export type Execute = ReturnType<typeof engine>
