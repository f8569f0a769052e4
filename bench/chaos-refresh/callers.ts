import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { TOOL } from './program.ts'
import type { Server } from './server.ts'

const CALL_MS = 60_000
const WHY_MAX = 5

export interface Calls {
  times: number[]
  inFlightAtKill: number
  failed: number
  why: Map<string, number>
}
export interface Callers {
  servers: readonly Server[]
  each: number
  key: string
  users: readonly string[]
  pauseMs: number
  random: () => number
  untilMs: number
}

/**
 * `each` callers at each server, one call at a time, with a pause between two; while its server starts a
 * caller waits.
 */
export async function callUntil({
  servers,
  each,
  key,
  users,
  pauseMs,
  random,
  untilMs,
}: Callers): Promise<Calls> {
  const calls: Calls = { times: [], inFlightAtKill: 0, failed: 0, why: new Map() }
  const dispatcher = new Agent({ connections: each, keepAliveTimeout: 60_000 })
  async function caller(server: Server): Promise<void> {
    await wait(random() * pauseMs)
    while (performance.now() < untilMs) {
      const url = await server.ready()
      const { kills } = server
      const startedAt = performance.now()
      const why = await execute(dispatcher, url, key, users[Math.floor(random() * users.length)] ?? '')
      if (!why) calls.times.push(performance.now() - startedAt)
      else if (server.kills !== kills) calls.inFlightAtKill++
      else {
        calls.failed++
        if (calls.why.has(why) || calls.why.size < WHY_MAX) calls.why.set(why, (calls.why.get(why) ?? 0) + 1)
      }
      await wait(pauseMs * (0.5 + random()))
    }
  }
  await Promise.all(servers.flatMap((server) => Array.from({ length: each }, () => caller(server))))
  await dispatcher.close()
  return calls
}

/** Why a call failed; undefined when it did not. */
export async function execute(
  dispatcher: Agent | undefined,
  url: string,
  key: string,
  user: string,
): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(`${url}/api/v3.1/tools/execute/${TOOL}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: user, arguments: {} }),
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
      ...(dispatcher ? { dispatcher } : {}),
    })
    const reply = (await body.json()) as {
      successful?: boolean
      error?: { message?: string } | string | null
    }
    if (statusCode === 200 && reply.successful) return undefined
    return (
      `${statusCode} ` +
      `${(typeof reply.error === 'string' ? reply.error : (reply.error?.message ?? '')).replace(/\bca_\w+/g, 'ca_…')}`
    )
  } catch (error) {
    return String(error)
  }
}
