import { type RenderedRequest, ToolFailure } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import type { Connection, EngineDeps, Execution, FoundTool, Result } from '../types.ts'
import { RateLimited } from './attempts.ts'
import { keep } from './file-answer.ts'
import { send } from './send.ts'
import { asObject, shapeResult } from './shape-result.ts'

/** Runs a code tool, each of its requests with the credentials of the account, all of it within the time of the execution. */
export async function runCode(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
): Promise<Result> {
  const code = await found.tool.code?.()
  if (!code) throw new Error(`${found.tool.slug} has no code`)
  let current = connection
  let status: number | null = null
  const leftMs = execution.run ? execution.run.deadlineAt - deps.clock.now() : undefined
  const data = await within(leftMs, execution.signal, async (signal) =>
    code(execution.arguments, {
      now: () => deps.clock.now(),
      signal,
      saveFile: (file) => keep(deps, execution, found, file),
      async request({ method, path, query = {}, headers = {}, body, body_type = 'json' }) {
        const rendered: RenderedRequest = {
          method,
          path: ownPath(path),
          query: queryList(query),
          headers: lowered(headers),
          body,
          bodyType: body_type,
        }
        const sent = await send(deps, { ...execution, signal }, found, current, rendered)
        current = sent.connection
        status = sent.answer.status
        const result = shapeResult(found, sent.answer)
        if (!result.successful) throw failed(result, sent.answer.retryAfterMs)
        return sent.answer.body
      },
    }),
  )
  return { data: asObject(data, found.tool.response.wrap), error: null, successful: true, statusCode: status }
}

function failed({ error, statusCode }: Result, retryAfterMs: number | undefined): ToolFailure {
  const message = error ?? 'The application refused the request.'
  return retryAfterMs === undefined
    ? new ToolFailure(message, statusCode === null ? {} : { statusCode })
    : new RateLimited(message, 'application', retryAfterMs, statusCode ?? undefined)
}

/**
 * Work that is given up when its time is up or the caller leaves; the signal that it gets tells it so. What it does then has no effect any more.
 * @throws EgressError
 */
export async function within<T>(
  leftMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (leftMs === undefined) return work(signal)
  const end = Promise.withResolvers<never>()
  const control = new AbortController()
  const stop = (error: EgressError) => {
    control.abort(error)
    end.reject(error)
  }
  const timer = setTimeout(
    () => stop(new EgressError('timeout', 'The tool did not finish within the time of the execution.')),
    Math.max(0, leftMs),
  )
  const leave = () => stop(new EgressError('aborted', 'The caller left while the tool ran.'))
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  end.promise.catch(() => {})
  try {
    return await Promise.race([work(control.signal), end.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** Below the base address of the account: whatever a code tool puts together from its arguments, the credentials go nowhere else. */
function ownPath(path: string): string {
  if (!path.startsWith('/') || path.startsWith('//') || /[\\\s#]|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(path))
    throw new Error(`A code tool asked for a path that is none: ${path.slice(0, 100)}`)
  return path
}

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const queryList = (query: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
