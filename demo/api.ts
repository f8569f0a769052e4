import type { Stage } from './stage.ts'

type Values = Record<string, unknown>
export interface Reply {
  status: number
  body: any
}
interface Options {
  body?: unknown
  /** What is printed in place of a long body. */
  printed?: unknown
  /** The part of the reply that the step is about; the default is all of it. */
  show?: (body: any) => unknown
  /** One remark on the response, printed after its status. */
  aside?: (body: any) => string
}

/** Patchbay as an agent's program uses it: every request is printed with its response. */
export function narratedApi(stage: Stage, url: string, apiKey: string, signal: AbortSignal) {
  const request = requests(url, apiKey, signal)

  async function send(
    method: string,
    path: string,
    { body, printed = body, show = (all) => all, aside }: Options = {},
  ): Promise<Reply> {
    await stage.request(method, '', path, printed)
    const startedAt = performance.now()
    const reply = await request(method, path, body)
    await stage.reply(
      reply.status,
      performance.now() - startedAt,
      reply.status < 400 ? show(reply.body) : problem(reply.body),
      aside?.(reply.body),
    )
    return reply
  }

  return {
    send,
    /** Executes a tool for a user and shows its result. */
    async execute(
      tool: string,
      userId: string | undefined,
      args: Values,
      { printedArguments, ...more }: Values = {},
    ): Promise<Reply> {
      const who = { ...(userId ? { user_id: userId } : {}), ...more }
      const verdict = ({ successful }: { successful?: boolean }) => {
        if (successful === undefined) return ''
        return successful ? stage.paint('green', '✓ successful') : stage.paint('yellow', '✗ the tool failed')
      }
      return send('POST', `/api/v3.1/tools/execute/${tool}`, {
        body: { ...who, arguments: args },
        printed: { ...who, arguments: printedArguments ?? args },
        aside: verdict,
        show: ({ data, error, successful }) => (successful ? data : { successful, error, data }),
      })
    },
    /** The same without a word. */
    quietly: request,
  }
}
export type Api = ReturnType<typeof narratedApi>

/** The fields of an error that are worth reading. */
function problem({ error }: { error?: Values } = {}): unknown {
  if (!error) return undefined
  const { message, code, suggested_fix, errors } = error
  return {
    error: { message, code, suggested_fix, ...(Array.isArray(errors) && errors.length ? { errors } : {}) },
  }
}

// The first search builds the index of the tools, next to the other software of the tour.
const TIMEOUT_MS = 60_000

function requests(url: string, apiKey: string, signal: AbortSignal) {
  return async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(url + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await reply.text()
    return { status: reply.status, body: text ? JSON.parse(text) : undefined }
  }
}
