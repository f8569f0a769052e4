import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources, renderRequest } from '../../../catalog/index.ts'
import { sampleSource, sampleTrigger } from '#fixtures/sample-toolkits.ts'
import type { TriggerResponse } from '../../../engine/index.ts'
import { type PolledItems, pollOnce } from './poll.ts'
import { PollFailed } from './read.ts'
import type { PollState } from './state.ts'

type Parts = Record<string, unknown>
interface Asked {
  path: string
  query: Parts
}
type Reply = Parts | { status: number; meaning?: TriggerResponse['meaning'] }

const CONFIG = { type: 'object', properties: {} }
const T0 = Date.UTC(2026, 0, 1)

/** A trigger type that polls a list. */
function polledTrigger(poll: Parts, more: Parts) {
  return catalogFromSources([
    sampleSource({}, undefined, {
      triggers: {
        triggers: [
          sampleTrigger({
            config: CONFIG,
            event: undefined,
            poll: {
              request: { method: 'GET', path: '/list', query: ['page'] },
              items: 'list',
              key: 'id',
              page: { by: 'page', more: 'more' },
              by: 'newest_first',
              ...poll,
            },
            ...more,
          }),
        ],
      },
    }),
  ]).trigger('SHOP_NEW_ORDER', 'latest')!.trigger
}

/** Polls an application that is a function. The clock advances with every request. */
function polls(poll: Parts, answer: (asked: Asked) => Reply, more: Parts = {}) {
  const trigger = polledTrigger(poll, more)
  const asked: Asked[] = []
  const clock = { at: T0 }
  let state: PollState | undefined
  const run = async (deadlineMs = 60_000): Promise<PolledItems & { ids: unknown[] }> => {
    const polled = await pollOnce({
      trigger: { ...trigger, poll: trigger.poll! },
      config: {},
      state,
      now: () => clock.at,
      deadlineAt: clock.at + deadlineMs,
      send: async (request, args) => {
        const { path, query } = renderRequest(request, args, () => undefined)
        const one = { path, query: Object.fromEntries(query) }
        asked.push(one)
        clock.at += 10
        const reply = answer(one)
        const failed = typeof reply['status'] === 'number'
        return {
          ok: !failed,
          status: failed ? (reply['status'] as number) : 200,
          headers: {},
          body: failed ? {} : reply,
          meaning: reply['meaning'] as TriggerResponse['meaning'],
          message: failed ? 'No.' : null,
          retryAfterMs: undefined,
        }
      },
    })
    // What is stored is JSON.
    state = JSON.parse(JSON.stringify(polled.state)) as PollState
    return { ...polled, ids: polled.items.map(({ payload }) => payload['id'] ?? payload['value']) }
  }
  return {
    run,
    asked,
    clock,
    get state() {
      return state
    },
  }
}

/** A list of items by their ids, newest first, `size` a page. */
const paged =
  (ids: () => readonly number[], size: number) =>
  ({ query }: Asked) => {
    const at = (Number(query['page'] ?? 1) - 1) * size
    return {
      list: ids()
        .slice(at, at + size)
        .map((id) => ({ id })),
      more: at + size < ids().length,
    }
  }

test('poll, newest first: existing items create no events, new ones one each, oldest first, over pages', async () => {
  let ids = [3, 2, 1]
  const s = polls(
    { max_pages: 3 },
    paged(() => ids, 2),
  )
  assert.deepEqual([(await s.run()).ids, s.asked.length], [[], 1])
  ids = [6, 5, 4, 3, 2, 1]
  assert.deepEqual((await s.run()).ids, [4, 5, 6])
  assert.deepEqual((await s.run()).ids, [])
  ids = [6, 2, 1]
  assert.deepEqual((await s.run()).ids, [], 'what moved up because others went away was there before')
  ids = [7, 6, 2, 1]
  assert.deepEqual((await s.run()).ids, [7])
  ids = [...Array(9).keys()].map((n) => 20 - n).concat(ids)
  const burst = await s.run()
  assert.deepEqual([burst.ids, burst.hasMore], [[15, 16, 17, 18, 19, 20], false])
  assert.match(burst.gap ?? '', /more new items than one poll reads \(6 items on 3 pages\)/)
})

test('poll, newest first: after an empty list every item is new; one without a key or repeated is none', async () => {
  let list: unknown[] = []
  const s = polls({}, () => ({ list }))
  assert.deepEqual((await s.run()).ids, [])
  list = [{ id: 2 }, { id: 2 }, { name: 'x' }, null, 'text', { id: 1 }]
  assert.deepEqual((await s.run()).ids, [1, 2])
  for (const strange of [undefined, 'no list', { a: 1 }, 7]) {
    list = strange as never
    assert.deepEqual((await s.run()).ids, [])
  }
})

test('poll: events are ordered by time, and items older than the trigger create none when a page shrinks', async () => {
  let list = [
    { id: 9, at: T0 },
    { id: 8, at: T0 - 1 },
  ]
  const s = polls({ time: 'at', back_fill: 1 }, () => ({ list, more: true }))
  assert.deepEqual((await s.run()).ids, [9], 'as many of the newest as the back fill says')
  list = [
    { id: 3, at: T0 - 5 },
    { id: 12, at: T0 + 3 },
    { id: 11, at: T0 + 5 },
  ]
  assert.deepEqual((await s.run()).ids, [12, 11])
})

test('poll, cursor: it may be on the last page, lead over pages, and expire', async () => {
  const changes = { a: [1, 2, 3], b: [4] } as Record<string, number[]>
  const log: string[] = []
  const answer = ({ path, query }: Asked): Reply => {
    const [token, page] = [String(query['since']), Number(query['page'] ?? 0)]
    log.push(path === '/now' ? 'now' : `${token}/${page}`)
    if (path === '/now') return { token: log.includes('gone/0') ? 'b' : 'a' }
    if (token === 'gone') return { status: 410 }
    const items = changes[token]!
    const last = page * 2 + 2 >= items.length
    return {
      list: items.slice(page * 2, page * 2 + 2).map((id) => ({ id })),
      ...(last ? { next: token === 'a' ? 'b' : 'gone' } : { following: page + 1 }),
    }
  }
  const s = polls(
    {
      request: { method: 'GET', path: '/changes', query: { since: { $: 'cursor' }, page: { $: 'page' } } },
      page: { by: 'cursor', next: 'following' },
      by: 'cursor',
      cursor: {
        start: { request: { method: 'GET', path: '/now' }, path: 'token' },
        next: 'next',
        expired: { status: 410 },
      },
    },
    answer,
  )
  assert.deepEqual((await s.run()).ids, [])
  assert.deepEqual((await s.run()).ids, [1, 2, 3])
  assert.deepEqual([(await s.run()).ids, s.state?.cursor], [[4], 'gone'])
  const expired = await s.run()
  assert.deepEqual([expired.ids, s.state?.cursor], [[], 'b'])
  assert.match(expired.gap ?? '', /does not accept the cursor of the last poll/)
  assert.deepEqual(log, ['now', 'a/0', 'a/1', 'b/0', 'gone/0', 'now'])
})

test('poll, cursor: after its page limit, a poll continues at that page, or at the cursor if it expired', async () => {
  let forgotten = false
  const s = polls(
    {
      request: { method: 'GET', path: '/changes', query: { since: { $: 'cursor' }, page: { $: 'page' } } },
      page: { by: 'cursor', next: 'following' },
      by: 'cursor',
      max_pages: 2,
      cursor: { start: { request: { method: 'GET', path: '/now' }, path: 'token' }, next: 'next' },
    },
    ({ path, query }) => {
      if (path === '/now') return { token: 'a' }
      const page = Number(query['page'] ?? 0)
      if (page > 0 && forgotten) {
        forgotten = false
        return { status: 400, meaning: 'invalid' }
      }
      return { list: [{ id: page }], ...(page < 4 ? { following: page + 1 } : { next: 'b' }) }
    },
  )
  await s.run()
  const first = await s.run()
  assert.deepEqual([first.ids, first.hasMore, s.state?.cursor], [[0, 1], true, 'a'])
  assert.deepEqual((await s.run()).ids, [2, 3])
  forgotten = true
  assert.deepEqual((await s.run()).ids, [], 'known items create no second event')
  assert.deepEqual(
    [(await s.run()).ids, (await s.run()).ids, s.state?.cursor, s.state?.page],
    [[], [4], 'b', undefined],
  )
})

test('poll, since: polls overlap, an item creates one event, and a wrong clock skips no items', async () => {
  let list: Parts[] = [{ id: 1, at: T0 - 60_000 }]
  const s = polls(
    {
      request: { method: 'GET', path: '/list', query: ['since', 'page'] },
      by: 'since',
      since: { format: 'seconds', overlap_seconds: 60 },
      time: 'at',
    },
    () => ({ list }),
  )
  await s.run()
  list = [{ id: 3, at: T0 + 20_000 }, { id: 2, at: T0 + 10_000 }, ...list]
  s.clock.at = T0 + 30_000
  assert.deepEqual((await s.run()).ids, [2, 3])
  list = [
    { id: 5, at: '2090-01-01T00:00:00Z' },
    { id: 4, at: T0 + 15_000 },
    { id: 3, at: T0 + 20_000 },
  ]
  assert.deepEqual((await s.run()).ids, [4, 5], 'an item that was listed late creates an event')
  assert.deepEqual(
    s.asked.map(({ query }) => Number(query['since']) - T0 / 1_000),
    [-60, -60, -40],
  )
  assert.ok((s.state?.since ?? Infinity) <= s.clock.at)
})

test('poll, all: a list without order is read completely; an item that returns creates one event', async () => {
  let ids = [5, 1, 3]
  const s = polls(
    { by: 'all', order: 'oldest_first' },
    paged(() => ids, 2),
  )
  await s.run()
  const { state } = s
  await s.run()
  assert.deepEqual(s.state, state)
  ids = [9, 5, 1, 8, 3]
  assert.deepEqual((await s.run()).ids, [9, 8])
  ids = [5]
  assert.deepEqual([(await s.run()).ids, s.state?.seen.length], [[], 1])
})

test('poll: details are read for new items only; deleted ones are skipped, late ones are polled next', async () => {
  let ids: number[] = []
  const s = polls(
    {
      detail: {
        arguments: { number: 'id' },
        request: { method: 'GET', path: '/one/{number}' },
        pick: 'one',
        gone_when: { status: 404 },
      },
      skip_when: [{ path: 'id', equals: 3 }],
    },
    (asked) =>
      asked.path === '/list'
        ? paged(() => ids, 50)(asked)
        : asked.path === '/one/2'
          ? { status: 404 }
          : { one: { id: `d${asked.path.slice(5)}` } },
  )
  await s.run()
  ids = [7, 6, 5, 4, 3, 2, 1]
  const first = await s.run(15)
  assert.deepEqual([first.ids, first.hasMore], [['d1', 'd4'], true])
  assert.deepEqual(
    [(await s.run()).ids, s.asked.filter(({ path }) => path === '/one/4').length],
    [['d5', 'd6', 'd7'], 1],
  )
})

test('poll: a rejected request is a failure, and nothing of the poll is returned', async () => {
  let fails = false
  const s = polls({}, ({ query }) =>
    fails && query['page'] === '2'
      ? { status: 500, meaning: 'transient' }
      : { list: [{ id: query['page'] ?? 1 }], more: query['page'] !== '3' },
  )
  await s.run()
  const before = s.state
  fails = true
  await assert.rejects(
    polls({}, () => ({ status: 403, meaning: 'permission' })).run(),
    (error: unknown) => error instanceof PollFailed && error.response.meaning === 'permission',
  )
  assert.deepEqual(s.state, before)
  await assert.rejects(
    polls(
      {
        by: 'cursor',
        request: { method: 'GET', path: '/x', query: ['cursor', 'page'] },
        cursor: { start: { request: { method: 'GET', path: '/now' }, path: 'token' }, next: 'next' },
      },
      () => ({ token: {} }),
    ).run(),
    /has no cursor/,
  )
})

test('poll: a list whose pages form a cycle ends', async () => {
  const s = polls({ page: { by: 'cursor', next: 'next' }, max_pages: 100, by: 'all' }, ({ query }) => ({
    list: [{ id: 1 }],
    next: query['page'] === 'a' ? 'b' : 'a',
  }))
  await s.run()
  assert.ok(s.asked.length <= 4, `${s.asked.length} requests`)
})
