import type { EgressResponse } from '../egress/index.ts'
import { createModelEndpoint, type ModelEndpoint } from './model-endpoint.ts'

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
 * (https://platform.openai.com/docs/api-reference/embeddings).
 */
export function openAiEmbeddings({ baseUrl, model, apiKey, dimensions }: EmbeddingSettings): EmbeddingModel {
  const endpoint = createModelEndpoint({
    url: new URL(`${baseUrl}/embeddings`),
    apiKey,
    title: 'embedding model',
    responseBytesMax: RESPONSE_BYTES_MAX,
  })
  const size = dimensions === undefined ? {} : { dimensions }
  return {
    name: dimensions === undefined ? model : `${model}/${dimensions}`,
    async embed(texts, { timeoutMs, signal = AbortSignal.timeout(timeoutMs) }) {
      const body = { model, input: texts, encoding_format: 'float', ...size }
      return readVectors(endpoint, await endpoint.post({ body, timeoutMs, signal }), texts.length)
    },
    close: () => endpoint.close(),
  }
}

interface EmbeddingList {
  data?: { index?: unknown; embedding?: unknown }[]
}

/** Reads the vectors in the order of the texts. @throws ModelError if one is missing or has another length */
function readVectors(endpoint: ModelEndpoint, response: EgressResponse, count: number): Float32Array[] {
  const list = endpoint.readJson(response) as EmbeddingList | null
  const data = Array.isArray(list?.data) ? list.data : []
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  data.forEach((one, at) => {
    const index = typeof one?.index === 'number' ? one.index : at
    if (Number.isInteger(index) && index >= 0 && index < count) vectors[index] = unitVector(one?.embedding)
  })
  const length = vectors[0]?.length
  const complete = vectors.filter((vector) => vector !== undefined && vector.length === length)
  if (complete.length !== count)
    throw endpoint.invalidResponse(new Error(`${complete.length} of ${count} vectors`))
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
