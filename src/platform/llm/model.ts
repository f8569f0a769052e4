import type { EgressResponse } from '../egress/index.ts'
import { createModelEndpoint, type ModelEndpoint, responseError } from './model-endpoint.ts'

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

const ANSWER_BYTES_MAX = 2_000_000
/** More than arguments need. It ends a model that repeats itself. */
const TOKENS_MAX = 8_192

/**
 * Creates a model with the chat completions API of OpenAI (https://platform.openai.com/docs/api-reference/chat).
 */
export function openAiModel({ baseUrl, model, apiKey }: ModelSettings): Model {
  const endpoint = createModelEndpoint({
    url: new URL(`${baseUrl}/chat/completions`),
    apiKey,
    title: 'language model',
    responseBytesMax: ANSWER_BYTES_MAX,
  })
  const post = ({ messages, headers, timeoutMs, signal }: ModelRequest, format: object) =>
    endpoint.post({
      body: { model, messages, temperature: 0, max_tokens: TOKENS_MAX, ...format },
      headers,
      timeoutMs,
      signal,
    })
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
      return read(endpoint, reply)
    },
    close: () => endpoint.close(),
  }
}

interface Completion {
  usage?: { total_tokens?: unknown }
  choices?: { message?: { content?: unknown; refusal?: unknown }; finish_reason?: unknown }[]
}

/** @throws ModelError */
function read(endpoint: ModelEndpoint, reply: EgressResponse): ModelResponse {
  const completion = endpoint.readJson(reply) as Completion | null
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined
  const { content, refusal } = choice?.message ?? {}
  const total = completion?.usage?.total_tokens
  const usage = typeof total === 'number' && total >= 0 ? { tokens: Math.ceil(total) } : {}
  if (typeof refusal === 'string' && refusal !== '') return { refusal: refusal.slice(0, 1_000), ...usage }
  if (choice?.finish_reason === 'content_filter')
    return { refusal: 'The language model did not answer because of its content filter.', ...usage }
  if (typeof content !== 'string') throw endpoint.invalidResponse(responseError(reply))
  return { text: content, isCut: choice?.finish_reason === 'length', ...usage }
}
