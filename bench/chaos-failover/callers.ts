import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'

const CALL_MS = 60_000
const WHY_MAX = 8

/** One acknowledged request. */
export interface Acknowledged {
  id: string
  atMs: number
}

/** What the callers of one kind of request have seen. */
export interface CallRecord {
  name: string
  acknowledged: Acknowledged[]
  /** 503 with Retry-After: the expected response while there is no primary. */
  unavailable: number
  /** Every other failure, by its text. */
  unexpected: Map<string, number>
}

export interface CallerKind {
  name: string
  callers: number
  pauseMs: number
  path: string
  body(n: number): object
  /** Reads the id of what the server acknowledged; undefined when the call failed. */
  idOf(reply: Record<string, unknown>): string | undefined
}

/** Callers that send one request after the other, to one server after the other, until the signal fires. */
export async function callUntil(
  urls: readonly string[],
  key: string,
  kind: CallerKind,
  signal: AbortSignal,
): Promise<CallRecord> {
  const record: CallRecord = { name: kind.name, acknowledged: [], unavailable: 0, unexpected: new Map() }
  const dispatcher = new Agent({ connections: kind.callers, keepAliveTimeout: 60_000 })
  let count = 0
  async function caller(): Promise<void> {
    while (!signal.aborted) {
      const n = count++
      await callOnce(dispatcher, `${urls[n % urls.length]}${kind.path}`, { key, kind, n, record })
      await wait(kind.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: kind.callers }, caller))
  await dispatcher.close()
  return record
}

async function callOnce(
  dispatcher: Agent,
  url: string,
  { key, kind, n, record }: { key: string; kind: CallerKind; n: number; record: CallRecord },
): Promise<void> {
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(kind.body(n)),
      headersTimeout: CALL_MS,
      bodyTimeout: CALL_MS,
    })
    const reply = (await body.json()) as Record<string, unknown>
    const id = statusCode < 300 ? kind.idOf(reply) : undefined
    if (id !== undefined) record.acknowledged.push({ id, atMs: performance.now() })
    else if (statusCode === 503 && headers['retry-after'] !== undefined) record.unavailable++
    else addFailure(record, `${statusCode} ${JSON.stringify(reply['error'] ?? reply).slice(0, 200)}`)
  } catch (error) {
    addFailure(record, String(error))
  }
}

function addFailure({ unexpected }: CallRecord, text: string): void {
  const why = text.replace(/\b(ca|log|req)_\w+/g, '$1_…').replace(/"request_id":"[^"]*"/, '"request_id":"…"')
  if (unexpected.has(why) || unexpected.size < WHY_MAX) unexpected.set(why, (unexpected.get(why) ?? 0) + 1)
}
