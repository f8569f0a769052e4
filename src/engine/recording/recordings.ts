import type { EgressRequest, EgressResponse } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { redactorFor } from '../http/redactor.ts'
import type { ResolvedTool, ToolCall, ToolConnection, ToolResult } from '../types.ts'
import { toRecordedExchange } from './record-exchanges.ts'
import { type RecordedCall, type RecordedExchange, recordingKey } from './recorded-call.ts'
import { redactArguments, redactCall } from './redact.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Records one call. */
export interface CallRecorder {
  addExchange(request: EgressRequest, response: EgressResponse): void
  finish(tool: ResolvedTool, args: Arguments, connection: ToolConnection, result: ToolResult): void
}

/** Records calls, or replays a recording. The administrator chooses one of both for the whole process. */
export interface Recordings {
  /** Returns undefined for a call that is not recorded. */
  startRecording?(call: ToolCall): CallRecorder | undefined
  /** Returns the recorded result of a call. @throws ApiError that names a call without a recording */
  replayResult?(tool: ResolvedTool, args: Arguments): ToolResult
}

export interface RecorderOptions {
  /** Default: the calls of all projects are recorded. */
  projectId?: string | undefined
  write: (recorded: RecordedCall) => void
}

/** Passes every finished call to `write`, without its secrets. */
export function createRecorder({ projectId, write }: RecorderOptions): Recordings {
  return {
    startRecording(call) {
      if (call.dryRun || (projectId !== undefined && call.projectId !== projectId)) return undefined
      const exchanges: RecordedExchange[] = []
      return {
        addExchange: (request, response) => exchanges.push(toRecordedExchange(request, response)),
        finish({ tool, version }, args, connection, { data, error, successful, statusCode }) {
          const result = { data, error, successful, statusCode }
          const recorded = { tool: tool.slug, version, arguments: args, exchanges, result }
          write(redactCall(recorded, redactorFor(connection)))
        },
      }
    },
  }
}

const ARGUMENTS_TEXT_MAX = 300

/** Replays recorded calls: calls with the same tool and arguments return their results in recorded order. */
export function createReplayer(recording: readonly RecordedCall[]): Recordings {
  const callsByKey = new Map<string, { calls: RecordedCall[]; next: number }>()
  for (const recorded of recording) {
    const key = recordingKey(recorded.tool, recorded.arguments)
    const same = callsByKey.get(key) ?? { calls: [], next: 0 }
    same.calls.push(recorded)
    callsByKey.set(key, same)
  }
  return {
    replayResult({ tool }, args) {
      const redacted = redactArguments(args)
      const same = callsByKey.get(recordingKey(tool.slug, redacted))
      const description = `${tool.slug} with ${JSON.stringify(redacted).slice(0, ARGUMENTS_TEXT_MAX)}`
      if (!same) {
        throw new ApiError('ActionExecute_NotRecorded', `There is no recording of ${description}.`)
      }
      const recorded = same.calls[same.next++]
      if (!recorded) {
        const count = `${same.calls.length} recording${same.calls.length === 1 ? '' : 's'}`
        throw new ApiError(
          'ActionExecute_NotRecorded',
          `There are ${count} of ${description}, and this is call ${same.next}.`,
        )
      }
      return structuredClone(recorded.result)
    },
  }
}
