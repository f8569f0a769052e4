import type { World, WireRequest } from '../applications/index.ts'

const POST_MS_MAX = 10_000
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * How an address of a server answered a call of an application. `status` 0: nobody answered, or it is not on
 * this machine.
 */
export interface Posted {
  url: string
  status: number
}

/**
 * Sends what the applications have to tell, one after another. Nothing leaves this machine: an address
 * elsewhere is answered as one where nobody is.
 */
export async function post(requests: readonly WireRequest[]): Promise<Posted[]> {
  const posted: Posted[] = []
  for (const { method, url, headers, body } of requests) {
    posted.push({
      url: url.split('?', 1)[0]!,
      status:
        URL.canParse(url) && LOOPBACK.test(new URL(url).hostname)
          ? await statusOf(url, { method, headers: { ...headers }, body: new Uint8Array(body) })
          : 0,
    })
  }
  return posted
}

/** Calls of all applications that wait to be sent. */
export const due = (world: World): WireRequest[] =>
  [...world.applications.values()].flatMap(({ webhooks }) => webhooks.take())

/** Tries addresses that were just registered. Answers one that did not say that it is there; it is forgotten. */
export async function unverified(world: World): Promise<string | undefined> {
  for (const { webhooks } of world.applications.values()) {
    const refused = (await post(webhooks.take('tries'))).find(({ status }) => status < 200 || status > 299)
    if (refused) webhooks.refuse(refused.url)
    if (refused) return refused.url
  }
  return undefined
}

async function statusOf(url: string, init: RequestInit): Promise<number> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(POST_MS_MAX),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}
