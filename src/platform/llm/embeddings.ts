import { parseBoundedJson } from '../bounded-json.ts'
import { createEgress, EgressError, parseAllowRules, type EgressResponse } from '../egress/index.ts'
import { ModelError } from './model.ts'

export interface EmbeddingSettings {
  /** URL of an OpenAI-compatible API, with its version: `https://api.openai.com/v1`. */
  baseUrl: string
  model: string
  apiKey: string | undefined
  /** Sent as `dimensions`. Undefined: the model decides. */
  dimensions: number | undefined
}

/** A model that turns texts into vectors. */
export interface EmbeddingModel {
  /** Name of the model, with the dimensions that are asked for: vectors of different names cannot be compared. */
  readonly name: string
  /**
   * Returns the vector of each text, each of length 1.
   * @param texts at most `TEXTS_MAX`
   * @throws ModelError
   */
  embed(
    texts: readonly string[],
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

/** Texts of one request. With `DIMENSIONS_MAX` a response has fewer values than `JSON_BOUNDS` allows. */
export const TEXTS_MAX = 64
export const DIMENSIONS_MAX = 3_072
const DIMENSIONS_MIN = 8
/** So many dimensions are used, an even number of them: the memory of 125,000 tools stays below 90 MB. */
const DIMENSIONS_USED = 1_024
/** A value has about 13 characters. */
const RESPONSE_BYTES_MAX = 16_000_000

/**
 * Creates an embedding model with the embeddings API of OpenAI
 * (https://platform.openai.com/docs/api-reference/embeddings). The administrator sets the endpoint, so its IP
 * address may be private; no other private address is allowed by this.
 */
export function openAiEmbeddings(settings: EmbeddingSettings): EmbeddingModel {
  const { baseUrl, model, dimensions } = settings
  const url = new URL(`${baseUrl}/embeddings`)
  const egress = createEgress({
    allow: parseAllowRules(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`),
  })
  return {
    name: dimensions === undefined ? model : `${model}/${dimensions}`,
    async embed(texts, options) {
      const response = await post(egress, url, settings, texts, options)
      if (response.status < 200 || response.status > 299)
        throw new ModelError(
          response.status === 429 ? 'busy' : 'unavailable',
          `The embedding model returned ${response.status}.`,
          { cause: responseError(response) },
        )
      return readVectors(response, texts.length)
    },
    close: () => egress.close(),
  }
}

/** @throws ModelError if the endpoint cannot be reached, or is too slow */
async function post(
  egress: ReturnType<typeof createEgress>,
  url: URL,
  { model, apiKey, dimensions }: EmbeddingSettings,
  texts: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<EgressResponse> {
  try {
    return await egress.send({
      method: 'POST',
      url,
      body: JSON.stringify({
        model,
        input: texts,
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }),
      timeoutMs,
      signal: signal ?? AbortSignal.timeout(timeoutMs),
      maxRedirects: 0,
      bytesMax: RESPONSE_BYTES_MAX,
      headers: {
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        'content-type': 'application/json',
      },
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const isLate = error.kind === 'timeout'
    throw new ModelError(
      isLate ? 'timeout' : 'unavailable',
      isLate ? 'The embedding model did not respond in time.' : 'The embedding model cannot be reached.',
      { cause: error },
    )
  }
}

/** For the log: the beginning of the response, which may quote an invalid key. */
const responseError = ({ status, body }: EgressResponse) =>
  new Error(`${status}: ${body.toString('utf8', 0, 300).replace(/\b(sk-|Bearer\s+)[\w*.-]+/g, '[secret]')}`)

interface EmbeddingList {
  data?: { index?: unknown; embedding?: unknown }[]
}

/** Reads the vectors in the order of the texts. @throws ModelError if one is missing or has another length */
function readVectors({ body }: EgressResponse, count: number): Float32Array[] {
  let list: EmbeddingList | null
  try {
    list = parseBoundedJson(body.toString()) as EmbeddingList | null
  } catch (error) {
    throw invalid('not JSON', error)
  }
  const data = Array.isArray(list?.data) ? list.data : []
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  data.forEach((one, at) => {
    const index = typeof one?.index === 'number' ? one.index : at
    if (Number.isInteger(index) && index >= 0 && index < count) vectors[index] = unitVector(one?.embedding)
  })
  const length = vectors[0]?.length
  const complete = vectors.filter((vector) => vector !== undefined && vector.length === length)
  if (complete.length !== count) throw invalid(`${complete.length} of ${count} vectors`)
  return complete as Float32Array[]
}

/** Returns undefined for anything but a list of finite numbers that are not all 0. */
function unitVector(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length < DIMENSIONS_MIN || value.length > DIMENSIONS_MAX)
    return undefined
  if (!value.every((one) => typeof one === 'number' && Number.isFinite(one))) return undefined
  const vector = Float32Array.from(
    value.slice(0, Math.min(DIMENSIONS_USED, value.length - (value.length % 2))) as number[],
  )
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? vector.map((one) => one / length) : undefined
}

const invalid = (problem: string, cause?: unknown): ModelError =>
  new ModelError('unavailable', 'The embedding model returned an invalid response.', {
    cause: cause ?? new Error(problem),
  })
