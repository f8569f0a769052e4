import { ApiError } from '../../platform/http/api-error.ts'
import type { Egress } from '../../platform/egress/index.ts'
import { hiderOf } from '../pipeline/hide.ts'
import type { Connection, Execution, FoundTool, Result } from '../types.ts'
import { redacted, redactedArguments } from './redact.ts'
import { keyOf, type Take, type TakenExchange } from './take.ts'
import { watched } from './watched.ts'

/** What watches one execution that is recorded. */
export interface Taking {
  through(egress: Egress): Egress
  end(found: FoundTool, execution: Execution, connection: Connection, result: Result): void
}

/** How executions are recorded, or answered from a recording. Chosen by who runs the server, for the whole process. */
export interface Tape {
  /** Undefined: this execution is not recorded. */
  take?(execution: Execution): Taking | undefined
  /** The recorded result of a call. @throws ApiError that says which call has none */
  replay?(found: FoundTool, execution: Execution): Result
}

/** Hands every execution to `write` when it ended, without its secrets; of one project if `projectId` names it. */
export function recorder({
  projectId,
  write,
}: {
  projectId?: string | undefined
  write: (take: Take) => void
}): Tape {
  return {
    take(execution) {
      if (execution.dryRun || (projectId !== undefined && execution.projectId !== projectId)) return undefined
      const exchanges: TakenExchange[] = []
      return {
        through: (egress) => watched(egress, exchanges),
        end({ tool, version }, { arguments: args }, connection, { data, error, successful, statusCode }) {
          write(
            redacted(
              {
                tool: tool.slug,
                version,
                arguments: args,
                exchanges,
                result: { data, error, successful, statusCode },
              },
              hiderOf(connection),
            ),
          )
        },
      }
    },
  }
}

const SHOWN_MAX = 300

/** Answers from recorded executions: calls of the same tool with the same arguments get their results in the order in which they were recorded. */
export function replayer(takes: readonly Take[]): Tape {
  const calls = new Map<string, { takes: Take[]; next: number }>()
  for (const take of takes) {
    const key = keyOf(take.tool, take.arguments)
    const known = calls.get(key) ?? { takes: [], next: 0 }
    known.takes.push(take)
    calls.set(key, known)
  }
  return {
    replay({ tool }, { arguments: args }) {
      const shown = redactedArguments(args)
      const call = calls.get(keyOf(tool.slug, shown))
      const about = `${tool.slug} with ${JSON.stringify(shown).slice(0, SHOWN_MAX)}`
      if (!call) throw new ApiError('ActionExecute_NotRecorded', `The cassette has no recording of ${about}.`)
      const take = call.takes[call.next++]
      if (!take)
        throw new ApiError(
          'ActionExecute_NotRecorded',
          `The cassette has ${call.takes.length} recording${call.takes.length === 1 ? '' : 's'} of ${about}, and this is call ${call.next}.`,
        )
      return structuredClone(take.result)
    },
  }
}
