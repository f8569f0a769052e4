import { parseBoundedJson } from '../bounded-json.ts'
import { createEgress, EgressError, parseAllowRules, type EgressResponse } from '../egress/index.ts'

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

export interface ModelEndpointOptions {
  url: URL
  apiKey: string | undefined
  /** Name of the model in errors, such as `language model`. */
  title: string
  responseBytesMax: number
}

export interface ModelEndpointRequest {
  /** Sent as JSON. */
  body: object
  headers?: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
}

/** An endpoint of an API as OpenAI has it, in which a response is read as JSON. */
export interface ModelEndpoint {
  /** Returns the response whatever its status is. @throws ModelError if the endpoint cannot be reached, or is too slow */
  post(request: ModelEndpointRequest): Promise<EgressResponse>
  /** @throws ModelError for a status other than 2xx, and for a body that is not JSON */
  readJson(response: EgressResponse): unknown
  /** Returns the error for a response that lacks what it must have. The log shows `cause`. */
  invalidResponse(cause: unknown): ModelError
  close(): Promise<void>
}

/**
 * Creates a client of an endpoint. The administrator sets the URL, so its IP address may be private; no other private
 * address is allowed by this.
 */
export function createModelEndpoint({
  url,
  apiKey,
  title,
  responseBytesMax,
}: ModelEndpointOptions): ModelEndpoint {
  const egress = createEgress({
    allow: parseAllowRules(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`),
  })
  const invalidResponse = (cause: unknown) =>
    new ModelError('unavailable', `The ${title} returned an invalid response.`, { cause })
  return {
    async post({ body, headers, timeoutMs, signal }) {
      try {
        return await egress.send({
          method: 'POST',
          url,
          body: JSON.stringify(body),
          timeoutMs,
          signal,
          maxRedirects: 0,
          bytesMax: responseBytesMax,
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
          throw new ModelError('timeout', `The ${title} did not respond in time.`, { cause: error })
        throw new ModelError('unavailable', `The ${title} cannot be reached.`, { cause: error })
      }
    },
    readJson(response) {
      assertSuccess(response, title)
      try {
        return parseBoundedJson(response.body.toString())
      } catch (error) {
        throw invalidResponse(error)
      }
    },
    invalidResponse,
    close: () => egress.close(),
  }
}

function assertSuccess(response: EgressResponse, title: string): void {
  const { status } = response
  if (status === 429)
    throw new ModelError('busy', `The ${title} accepts no more calls at the moment.`, {
      cause: responseError(response),
    })
  if (status < 200 || status > 299)
    throw new ModelError('unavailable', `The ${title} returned ${status}.`, {
      cause: responseError(response),
    })
}

/** For the log: the beginning of the response, which may quote an invalid key. */
export const responseError = ({ status, body }: EgressResponse): Error =>
  new Error(`${status}: ${body.toString('utf8', 0, 300).replace(/\b(sk-|Bearer\s+)[\w*.-]+/g, '[secret]')}`)
