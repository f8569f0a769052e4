import { setTimeout as wait } from 'node:timers/promises'

/** A started server, and a key of its project. */
export interface ApiKeyServer {
  url: string
  key: string
}

/** How often a request is repeated that the server could not handle: its database starts slowly on a busy machine. */
const ATTEMPTS_MAX = 30
const RETRY_MS = 2_000

/** Sends a request to the API and returns the body of the response. @throws if the status is not one of success */
export async function postJson<T>(
  { url, key }: ApiKeyServer,
  path: string,
  body: unknown,
  attempt = 1,
): Promise<T> {
  const reply = await fetch(`${url}/api/v3.1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (reply.status === 503 && attempt < ATTEMPTS_MAX) {
    await wait(RETRY_MS)
    return postJson({ url, key }, path, body, attempt + 1)
  }
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}
