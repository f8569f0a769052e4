import { type Case, DEEP_LIMIT } from './cases.ts'
import { accountId, type Anchors } from './fill.ts'
import type { Call, Server } from './server.ts'

export const ROUNDS = 40
/** Connections prepare their statements, and PostgreSQL reads its tables into memory. */
export const WARM_UP_ROUNDS = 10

/** Sends the requests of a case, one after the other, and returns a line of the report. */
export async function measure(
  { name, targetMs, path, body }: Case,
  { call, cpuMs }: Server,
  anchors: Anchors,
): Promise<string> {
  const deepPath = await withCursor(path, call)
  const withIds = (text: string) =>
    text.replace('{account}', accountId(78)).replace('{subscription}', anchors.subscriptionId)
  const times: number[] = []
  let before = cpuMs()
  for (let request = -WARM_UP_ROUNDS; request < ROUNDS; request++) {
    if (request === 0) before = cpuMs()
    const startedAt = performance.now()
    const { status, body: reply } = await call(
      withIds(deepPath),
      body && (JSON.parse(withIds(JSON.stringify(body))) as object),
    )
    if (status !== 200) return `${name.padEnd(40)} status ${status}: ${JSON.stringify(reply).slice(0, 200)}`
    if (request >= 0) times.push(performance.now() - startedAt)
  }
  const after = cpuMs()
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0)
  const cost = (kind: 'server' | 'postgres') => ((after[kind] - before[kind]) / ROUNDS).toFixed(1)
  const verdict = at(0.95) <= targetMs ? 'met' : 'missed'
  return (
    `${name.padEnd(40)} p50 ${`${at(0.5)} ms`.padStart(8)}   p95 ${`${at(0.95)} ms`.padStart(8)}   ` +
    `target ${targetMs} ms: ${verdict.padEnd(6)}   ${cost('server').padStart(6)} + ${cost('postgres').padStart(6)} ms`
  )
}

/** Replaces the cursor of a page far from the start. That of a position is in the page before it. */
async function withCursor(path: string, call: Call): Promise<string> {
  const [placeholder, kind, number] = /\{(page|position) (\d+)\}/.exec(path) ?? []
  if (placeholder === undefined) return path
  const cursorOf = (page: number) => Buffer.from(`${page}-${DEEP_LIMIT}`).toString('base64')
  if (kind === 'page') return path.replace(placeholder, cursorOf(Number(number)))
  const { body } = await call(path.replace(placeholder, cursorOf(Number(number) - 1)))
  const { next_cursor: cursor } = body as { next_cursor: string | null }
  if (cursor === null) throw new Error(`${path}: the list has fewer than ${number} pages.`)
  return path.replace(placeholder, cursor)
}
