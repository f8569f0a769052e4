import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { until } from '#fixtures/until.ts'
import { streamLogs } from '../../contract/logs/index.ts'
import { regenerateProjectKey } from '../../contract/projects/index.ts'
import { sql, values } from '../../platform/db/sql.ts'
import { eventStream } from '../../platform/sse.ts'

interface Item {
  id: string
  status: string
  metadata: { tool_slug: string }
}

const insert = ({ app, keys, clock }: TestApp, id: string, more: Record<string, unknown> = {}) =>
  app.db.run(
    sql`insert into tool_executions ${values({
      id,
      project_id: keys.projectId,
      tool_slug: 'SHOP_GET_ORDER',
      toolkit_slug: 'shop',
      version: '20260101_00',
      user_id: 'user-1',
      request_id: 'request-1',
      successful: true,
      duration_ms: 100,
      created_at: new Date(clock.now()),
      ...more,
    })}`,
  )

/** The application with readers of its stream. */
async function stage(t: Parameters<typeof testApp>[0]) {
  const s = await testApp(t, { logStreamPollMs: 20, streamHeartbeatMs: 100 })
  await s.app.http.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(s.app.http.server.address() as AddressInfo).port}/api/v3.1/logs/stream`
  const open = async (query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const request = get(`${url}?${new URLSearchParams(query)}`, {
      agent: false,
      headers: { 'x-api-key': s.keys.projectApiKey, accept: 'text/event-stream', ...headers },
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const items: Item[] = []
    const parser = eventStream((data) => items.push(JSON.parse(data) as Item))
    const ended = (async () => {
      for await (const chunk of response) parser.push(chunk as Buffer)
    })().catch(() => {})
    if (response.statusCode === 200) await until('the stream is open', () => parser.lastId !== undefined)
    return { response, items, parser, ended, leave: () => request.destroy() }
  }
  return { ...s, open }
}

test('log stream: sends an execution when it is stored and when it ends, once each, if it matches', async (t) => {
  const s = await stage(t)
  await insert(s, 'log_before000000', { created_at: new Date(s.clock.now() - 60_000) })
  const [all, failed, other] = await Promise.all([
    s.open(),
    s.open({ status: 'failed' }),
    s.open({ tool_slug: 'SHOP_DELETE_ORDER' }),
  ])
  await insert(s, 'log_running00000', { successful: null, duration_ms: null })
  await until('the start came', () => all.items.length === 1)
  await s.app.db.run(sql`update tool_executions set successful = false where id = 'log_running00000'`)
  await insert(s, 'log_deleted00000', { tool_slug: 'SHOP_DELETE_ORDER' })
  await until(
    'all came',
    () => all.items.length === 3 && failed.items.length === 1 && other.items.length === 1,
  )
  assert.deepEqual(all.items.map(({ id, status }) => [id, status]).sort(), [
    ['log_deleted00000', 'success'],
    ['log_running00000', 'failed'],
    ['log_running00000', 'started'],
  ])
  assert.deepEqual(
    [failed.items[0]?.id, other.items[0]?.metadata.tool_slug],
    ['log_running00000', 'SHOP_DELETE_ORDER'],
  )
  const position = all.parser.lastId as string
  await insert(s, 'log_missed000000')
  await until('the next one came', () => all.items.length === 4)
  for (const stream of [all, failed, other]) stream.leave()
  const again = await s.open({}, { 'last-event-id': position })
  await until('what was missed came', () => again.items.some(({ id }) => id === 'log_missed000000'))
  assert.ok(!again.items.some(({ id }) => id === 'log_before000000'))
  again.leave()
})

test('log stream: reads without a stream, rejects bad positions and keys, and ends with its key', async (t) => {
  const s = await stage(t)
  await insert(s, 'log_one000000000')
  const { body } = await s.call(streamLogs, { query: { last_event_id: '0' } })
  assert.deepEqual(
    body.items.map(({ id }) => id),
    ['log_one000000000'],
  )
  const next = await s.call(streamLogs)
  assert.deepEqual(next.body.items, [])
  const other = await s.otherProject()
  assert.deepEqual((await other(streamLogs, { query: { last_event_id: '0' } })).body.items, [])
  assert.equal((await s.open({}, { 'last-event-id': 'x' })).response.statusCode, 400)
  assert.equal((await s.open({}, { 'x-api-key': 'ak_wrong' })).response.statusCode, 401)
  const many = await Promise.all(Array.from({ length: 51 }, () => s.open()))
  assert.equal(many.filter(({ response }) => response.statusCode === 429).length, 1)
  for (const stream of many.slice(2)) stream.leave()
  const open = many.slice(0, 2).find(({ response }) => response.statusCode === 200)
  assert.equal((await s.org(regenerateProjectKey, { params: { nano_id: s.keys.projectId } })).status, 200)
  await open?.ended
  for (const stream of many.slice(0, 2)) stream.leave()
})
