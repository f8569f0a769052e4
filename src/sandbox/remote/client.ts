import { parseBoundedJson } from '../../platform/bounded-json.ts'
import {
  createEgress,
  type Egress,
  EgressError,
  type EgressResponse,
  parseAllowRules,
} from '../../platform/egress/index.ts'
import { isObject, type JsonObject } from '../../platform/json-object.ts'
import { SandboxStopped } from '../types.ts'

export interface RemoteServiceOptions {
  /** Base URL of the service. The administrator sets it, so its IP address may be private. */
  readonly url: string
  /** Sent as a bearer token. */
  readonly token: string | undefined
}

/** Requests to a sandbox service. Every one passes the egress guard, and has a time limit. */
export interface RemoteService {
  /** Sends JSON, and returns the JSON of the response. @throws SandboxStopped */
  send(
    method: 'POST' | 'DELETE',
    path: string,
    body: object | undefined,
    timeoutMs: number,
  ): Promise<JsonObject>
  /**
   * Sends JSON, and passes the body of the response on while it arrives, until `onChunk` returns true. Returns false if
   * the service reports that the path does not exist.
   * @throws SandboxStopped
   */
  stream(
    path: string,
    body: object,
    limits: { timeoutMs: number; bytesMax: number; signal: AbortSignal },
    onChunk: (chunk: Buffer) => boolean,
  ): Promise<boolean>
  close(): Promise<void>
}

const RESPONSE_BYTES_MAX = 1_000_000
const EXCERPT_CHARACTERS = 200

/** Creates the client of a sandbox service. */
export function createRemoteService({ url, token }: RemoteServiceOptions): RemoteService {
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  const egress = createEgress({ allow: parseAllowRules(`${base.hostname}:${portOf(base)}`) })
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const request = (method: string, path: string, body: object | undefined) => ({
    method,
    url: new URL(path, base),
    headers,
    maxRedirects: 0,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    async send(method, path, body, timeoutMs) {
      const response = await sendTo(egress, {
        ...request(method, path, body),
        timeoutMs,
        bytesMax: RESPONSE_BYTES_MAX,
      })
      assertSuccess(response)
      return readObject(response)
    },
    async stream(path, body, limits, onChunk) {
      const response = await sendTo(egress, {
        ...request('POST', path, body),
        ...limits,
        onBody: () => onChunk,
      })
      if (response.status === 404 || response.status === 410) return false
      assertSuccess(response)
      return true
    },
    close: () => egress.close(),
  }
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

async function sendTo(egress: Egress, request: Parameters<Egress['send']>[0]): Promise<EgressResponse> {
  try {
    return await egress.send(request)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const reason = error.kind === 'timeout' ? 'did not respond in time' : 'cannot be reached'
    throw new SandboxStopped(`the sandbox service ${reason}`, { cause: error })
  }
}

/** @throws SandboxStopped for a status other than 2xx. The response is for the log: it may quote the token. */
function assertSuccess({ status, body }: EgressResponse): void {
  if (status >= 200 && status <= 299) return
  const reason =
    status === 429 || status === 503 ? 'has no free sandbox at the moment' : `returned the status ${status}`
  throw new SandboxStopped(`the sandbox service ${reason}`, {
    cause: new Error(body.toString('utf8', 0, EXCERPT_CHARACTERS)),
  })
}

function readObject({ body }: EgressResponse): JsonObject {
  if (body.length === 0) return {}
  try {
    const json = parseBoundedJson(body.toString())
    if (isObject(json)) return json
  } catch {
    // Reported below.
  }
  throw new SandboxStopped('the sandbox service returned a response that is not a JSON object')
}
