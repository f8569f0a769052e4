import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { route } from '../../../contract/route.ts'
import { Type } from '../../../contract/schema-type.ts'
import { createLog } from '../../log.ts'
import { createBranding } from '../branding/branding.ts'
import type { Principals } from '../call.ts'
import { awaitWithoutTurn, createRequestTurns } from '../turns/request-turns.ts'
import { createServer } from './server.ts'

const operation = route({
  id: 'test.turns',
  method: 'POST',
  path: '/turns',
  summary: 'Ends when the test says so',
  description: 'Ends when the test says so.',
  audience: 'project',
  body: Type.Object({ for_application: Type.Boolean() }),
  reply: Type.Object({ done: Type.Boolean() }),
})

const list = route({
  id: 'test.list',
  method: 'GET',
  path: '/list',
  summary: 'Returns a long list',
  description: 'Returns a long list.',
  audience: 'project',
  query: Type.Object({ length: Type.Integer() }),
  reply: Type.Object({ items: Type.Array(Type.Object({ name: Type.String() })) }),
})

/** A server that runs one request of a project at a time while others are active; the time moves by `advance`. */
function server(t: TestContext, waitingMax: number, perProject = 1) {
  let time = 0
  let check = () => {}
  const turns = createRequestTurns({ perProject, waitingMax }, undefined, {
    now: () => time,
    every(_ms, run) {
      check = run
      return () => {}
    },
  })
  const advance = (ms: number) => {
    time += ms
    check()
  }
  const { app, api } = createServer({
    log: createLog('silent'),
    brand: createBranding('service'),
    authenticate: (_audience, _permission, { headers }) =>
      ({ projectId: headers['x-api-key'], settings: {} }) as unknown as Principals['project'],
    limit: () => ({}),
    turns,
    audit: { reject: async () => {}, begin: async () => async () => {} },
  })
  const handlers: { project: string; end: () => void }[] = []
  api.on(operation, async ({ projectId, body }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    handlers.push({ project: projectId, end: resolve })
    await (body.for_application ? awaitWithoutTurn(promise, () => 0) : promise)
    return { done: true }
  })
  /** Each item takes a millisecond to serialize. */
  const item = {
    get name() {
      advance(1)
      return 'one'
    },
  }
  api.on(list, async ({ query }) => ({ items: Array.from({ length: query.length }, () => item) }))
  t.after(() => app.close())
  const call = (project: string, forApplication: unknown = false) =>
    app.inject({
      method: 'POST',
      url: '/api/v3.1/turns',
      headers: { 'x-api-key': project },
      payload: { for_application: forApplication },
    })
  /** Waits until so many handlers have begun. */
  const begun = async (count: number) => {
    while (handlers.length < count) await new Promise((resolve) => setImmediate(resolve))
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
    return handlers.map(({ project }) => project)
  }
  const readList = (project: string, length: number) =>
    app.inject({ url: `/api/v3.1/list?length=${length}`, headers: { 'x-api-key': project } })
  return { turns, handlers, call, begun, readList, advance }
}

test('a project whose requests run does not delay the request of another project', async (t) => {
  const { turns, handlers, call, begun } = server(t, 4)
  const quiet = call('quiet')
  await begun(1)
  const noisy = [call('noisy'), call('noisy'), call('noisy')]
  assert.deepEqual(await begun(2), ['quiet', 'noisy'])
  assert.deepEqual(turns.count(), { running: 2, waiting: 2 })
  handlers[0]!.end()
  assert.equal((await quiet).statusCode, 200)
  const again = call('quiet')
  assert.deepEqual(await begun(3), ['quiet', 'noisy', 'quiet'])
  handlers[2]!.end()
  assert.equal((await again).statusCode, 200)
  for (const n of [1, 3, 4]) {
    await begun(n + 1)
    handlers[n]!.end()
  }
  assert.deepEqual(
    (await Promise.all(noisy)).map(({ statusCode }) => statusCode),
    [200, 200, 200],
  )
  assert.deepEqual(turns.count(), { running: 0, waiting: 0 })
})

test('requests that wait for an application leave their turns to others of their project', async (t) => {
  const { handlers, call, begun } = server(t, 4)
  const others = call('quiet', true)
  const calls = [call('noisy', true), call('noisy', true), call('noisy')]
  assert.deepEqual(await begun(4), ['quiet', 'noisy', 'noisy', 'noisy'])
  for (const { end } of handlers) end()
  for (const { statusCode } of await Promise.all([others, ...calls])) assert.equal(statusCode, 200)
})

test('a request beyond PROJECT_QUEUE_MAX gets 429 with Retry-After before its body is read', async (t) => {
  const { handlers, call, begun } = server(t, 1)
  const calls = [call('quiet')]
  await begun(1)
  calls.push(call('noisy'), call('noisy'))
  await begun(2)
  const rejected = await call('noisy', 'an invalid value')
  assert.deepEqual(
    [rejected.statusCode, rejected.headers['retry-after'], rejected.json().error.slug],
    [429, '1', 'HTTP_TooManyRequests'],
  )
  for (let n = 0; n < 3; n++) {
    await begun(n + 1)
    handlers[n]!.end()
  }
  for (const { statusCode } of await Promise.all(calls)) assert.equal(statusCode, 200)
})

test('the serialization of a long response is followed by a rest of its project, and a short one by none', async (t) => {
  const { turns, handlers, call, begun, readList, advance } = server(t, 4, 4)
  const quiet = call('quiet')
  await begun(1)
  assert.equal((await readList('noisy', 20)).statusCode, 200)
  assert.equal((await readList('modest', 0)).statusCode, 200)
  const waiting = readList('noisy', 0)
  assert.equal((await readList('modest', 0)).statusCode, 200)
  assert.deepEqual(turns.count(), { running: 1, waiting: 1 })
  handlers[0]!.end()
  assert.equal((await quiet).statusCode, 200)
  advance(60)
  assert.equal((await waiting).statusCode, 200)
})

test('a long list arrives whole, with its length in a header', async (t) => {
  const { readList } = server(t, 4)
  const reply = await readList('quiet', 10_000)
  assert.equal(reply.json<{ items: object[] }>().items.length, 10_000)
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(reply.headers['content-length'], String(reply.rawPayload.length))
})
