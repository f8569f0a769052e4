import { type CodeToolContext, FileBytes, type RenderedRequest, ToolFailure } from '../../catalog/index.ts'
import { storeFile } from '../files/result-files.ts'
import { baseUrl } from '../http/egress-request.ts'
import { asObject, toToolResult } from '../http/tool-result.ts'
import type { HasArgumentFiles, StepDeps } from '../pipeline/context.ts'
import { RateLimited } from '../throttling/rate-limited.ts'
import type { RunningTool, SendToolRequest } from '../tool-request.ts'
import type { ToolResult } from '../types.ts'
import { withTimeLimit } from './time-limit.ts'

type CodeRequest = Parameters<CodeToolContext['request']>[0]
type CodeUpload = Parameters<CodeToolContext['upload']>[0]

const NO_CONNECTION = { kind: 'none' } as const

/** Runs a code tool within the time limit of the call. Each of its requests gets the credentials of the account. */
export async function runCode(
  context: RunningTool & HasArgumentFiles,
  deps: StepDeps,
  send: SendToolRequest,
): Promise<ToolResult> {
  const { call, resolvedTool, sentArguments, deadlineAt } = context
  const code = await resolvedTool.tool.code?.()
  if (!code) throw new Error(`${resolvedTool.tool.slug} has no code`)
  let { connection } = context
  let statusCode: number | null = null
  const leftMs = deadlineAt === undefined ? undefined : deadlineAt - deps.clock.now()
  const run = withTimeLimit(leftMs, call.signal, async (signal) =>
    code(sentArguments, {
      now: () => deps.clock.now(),
      signal,
      saveFile: (file) => storeFile(deps.files, call, resolvedTool, file),
      async request(codeRequest) {
        const request = renderCodeRequest(codeRequest)
        const sent = await send({ ...context, arguments: sentArguments, connection, signal, request }, deps)
        ;({ connection } = sent)
        const { response } = sent
        statusCode = response.status
        const result = toToolResult(resolvedTool, response)
        if (!result.successful) throw codeFailure(result, response.retryAfterMs)
        return response.body
      },
      async upload(codeUpload) {
        checkUploadUrl(codeUpload.url, baseUrl(resolvedTool, connection))
        const { proxy } =
          ((connection.kind === 'account' || connection.kind === 'custom') && connection.context) || {}
        const request = renderUpload(codeUpload)
        const sent = await send(
          {
            ...context,
            arguments: sentArguments,
            connection: NO_CONNECTION,
            signal,
            request,
            requestOptions: { proxy },
          },
          deps,
        )
        const { status } = sent.response
        if (status >= 200 && status <= 299) return
        throw new ToolFailure(
          `The application rejected the bytes of ${codeUpload.file.name} with ${status}.`,
          {
            statusCode: status,
          },
        )
      },
    }),
  )
  const data = await run.catch((error: unknown) => {
    throw toToolFailure(error)
  })
  return { data: asObject(data, resolvedTool.tool.response.wrap), error: null, successful: true, statusCode }
}

/** Code outside of the program cannot import `ToolFailure`, so an error with this name counts as one. */
function toToolFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ToolFailure || error.name !== 'ToolFailure') return error
  const { statusCode } = error as { statusCode?: unknown }
  return new ToolFailure(error.message, {
    cause: error,
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
  })
}

function codeFailure({ error, statusCode }: ToolResult, retryAfterMs: number | undefined): ToolFailure {
  const message = error ?? 'The application rejected the request.'
  return retryAfterMs === undefined
    ? new ToolFailure(message, statusCode === null ? {} : { statusCode })
    : new RateLimited(message, 'application', retryAfterMs, statusCode ?? undefined)
}

const renderCodeRequest = ({
  method,
  path,
  query = {},
  headers = {},
  body,
  body_type = 'json',
}: CodeRequest): RenderedRequest => ({
  method,
  path: checkPath(path),
  query: queryPairs(query),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body,
  bodyType: body_type,
})

const renderUpload = ({ method, url, file: { name, type, bytes } }: CodeUpload): RenderedRequest => ({
  method,
  path: url,
  query: [],
  headers: {},
  body: new FileBytes(name, type, bytes),
  bodyType: 'binary',
})

/**
 * An application that was taken over, or a response that someone else wrote, must not send files of users elsewhere.
 * @throws ToolFailure
 */
function checkUploadUrl(url: string, base: string): void {
  const [target, own] = [URL.parse(url), URL.parse(base)]
  const isOwn =
    target &&
    own &&
    (target.host === own.host || target.host.endsWith(`.${own.host}`)) &&
    (target.protocol === 'https:' || target.protocol === own.protocol)
  if (!isOwn)
    throw new ToolFailure(
      `The application named an upload URL at ${target?.host ?? 'no host'}, which does not belong to ` +
        `${own?.host ?? 'it'}.`,
    )
}

/** The path must be below the base URL of the account, whatever the code derives from its arguments. */
function checkPath(path: string): string {
  const isOutside =
    !path.startsWith('/') || path.startsWith('//') || /[\\\s#]|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(path)
  if (isOutside) throw new Error(`A code tool requested an invalid path: ${path.slice(0, 100)}`)
  return path
}

const queryPairs = (query: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item): [string, string] => [name, String(item)]),
  )
