import { parseBoundedJson } from '../bounded-json.ts'
import { createEgress, EgressError, parseAllowRules, type EgressResponse } from '../egress/index.ts'

export interface ModelSettings {
  /** URL of an OpenAI-compatible API, with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  apiKey: string | undefined
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** For whom a model works. */
export interface ModelCaller {
  projectId: string
  userId?: string | undefined
  sessionId?: string | undefined
}

export interface ModelRequest {
  /** Whose budget the tokens count for. Absent: nobody's. */
  caller?: ModelCaller | undefined
  messages: readonly ChatMessage[]
  /** The schema of the response. `isStrict`: the schema fits the strict mode of the API. */
  schema: { name: string; schema: object; isStrict: boolean }
  /** Headers of the caller, for a gateway in front of the model. */
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
}

/**
 * The text of the model, or its reason to decline (`refusal`). `tokens`: of request and response together, if the
 * model reports them.
 */
export type ModelResponse = ({ text: string; isCut: boolean } | { refusal: string }) & {
  tokens?: number | undefined
}

/** A language model. @throws ModelError */
export interface Model {
  complete(complete: ModelRequest): Promise<ModelResponse>
  close(): Promise<void>
}

/**
 * The model gave no usable response. `message` contains nothing about the endpoint; `cause` is for the log.
 */
export class ModelError extends Error {
  readonly kind: 'busy' | 'timeout' | 'unavailable'
  constructor(kind: ModelError['kind'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ModelError'
    this.kind = kind
  }
}

const ANSWER_BYTES_MAX = 2_000_000
/** More than arguments need. It ends a model that repeats itself. */
const TOKENS_MAX = 8_192

/**
 * Creates a model with the chat completions API of OpenAI
 * (https://platform.openai.com/docs/api-reference/chat). The administrator sets the endpoint, so its IP
 * address may be private; no other private address is allowed by this.
 */
export function openAiModel({ baseUrl, model, apiKey }: ModelSettings): Model {
  const url = new URL(`${baseUrl}/chat/completions`)
  const egress = createEgress({
    allow: parseAllowRules(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`),
  })

  const post = (request: ModelRequest, format: object) =>
    postCompletion(egress, { url, model, apiKey }, request, format)
  return {
    async complete(request) {
      const { name, schema, isStrict } = request.schema
      const startedAt = performance.now()
      let reply = await post(request, {
        response_format: { type: 'json_schema', json_schema: { name, schema, strict: isStrict } },
      })
      // Servers without schema support return 400. The prompt contains the schema too, so the request is
      // repeated without it.
      if (reply.status === 400 || reply.status === 422)
        reply = await post(
          { ...request, timeoutMs: Math.max(1, request.timeoutMs - (performance.now() - startedAt)) },
          { response_format: { type: 'json_object' } },
        )
      assertSuccess(reply)
      return read(reply)
    },
    close: () => egress.close(),
  }
}

/** @throws ModelError if the endpoint cannot be reached, or is too slow */
async function postCompletion(
  egress: ReturnType<typeof createEgress>,
  { url, model, apiKey }: { url: URL } & Pick<ModelSettings, 'model' | 'apiKey'>,
  { messages, headers, timeoutMs, signal }: ModelRequest,
  format: object,
): Promise<EgressResponse> {
  try {
    return await egress.send({
      method: 'POST',
      url,
      body: JSON.stringify({ model, messages, temperature: 0, max_tokens: TOKENS_MAX, ...format }),
      timeoutMs,
      signal,
      maxRedirects: 0,
      bytesMax: ANSWER_BYTES_MAX,
      headers: {
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
        'content-type': 'application/json',
      },
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.kind === 'timeout')
      throw new ModelError('timeout', 'The language model did not respond in time.', { cause: error })
    throw new ModelError('unavailable', 'The language model cannot be reached.', { cause: error })
  }
}

/** @throws ModelError for a status other than 2xx */
function assertSuccess(reply: EgressResponse): void {
  if (reply.status === 429)
    throw new ModelError('busy', 'The language model accepts no more calls at the moment.', {
      cause: responseError(reply),
    })
  if (reply.status < 200 || reply.status > 299)
    throw new ModelError('unavailable', `The language model returned ${reply.status}.`, {
      cause: responseError(reply),
    })
}

/** For the log: the beginning of the response, which may quote an invalid key. */
const responseError = ({ status, body }: EgressResponse) =>
  new Error(`${status}: ${body.toString('utf8', 0, 300).replace(/\b(sk-|Bearer\s+)[\w*.-]+/g, '[secret]')}`)

interface Completion {
  usage?: { total_tokens?: unknown }
  choices?: { message?: { content?: unknown; refusal?: unknown }; finish_reason?: unknown }[]
}

function read(reply: EgressResponse): ModelResponse {
  let completion: Completion | null
  try {
    completion = parseBoundedJson(reply.body.toString()) as Completion | null
  } catch (error) {
    throw new ModelError('unavailable', 'The language model returned an invalid response.', {
      cause: error,
    })
  }
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined
  const { content, refusal } = choice?.message ?? {}
  const total = completion?.usage?.total_tokens
  const usage = typeof total === 'number' && total >= 0 ? { tokens: Math.ceil(total) } : {}
  if (typeof refusal === 'string' && refusal !== '') return { refusal: refusal.slice(0, 1_000), ...usage }
  if (choice?.finish_reason === 'content_filter')
    return { refusal: 'The language model did not answer because of its content filter.', ...usage }
  if (typeof content !== 'string')
    throw new ModelError('unavailable', 'The language model returned an invalid response.', {
      cause: responseError(reply),
    })
  return { text: content, isCut: choice?.finish_reason === 'length', ...usage }
}
