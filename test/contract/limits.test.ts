import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProjects, readProjectConfig, readSessionInfo } from '../../src/contract/projects/index.ts'
import { routes } from '../../src/contract/index.ts'
import { testApp } from '../fixtures/app.ts'
import { envelope, send } from './send.ts'

/** A clock that a test moves. It starts 17 s into a minute. */
function stoppedClock() {
  let now = Date.UTC(2026, 10, 21, 12, 0, 17)
  return {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}

test('calls beyond the limit are rejected with the time to wait, until the minute is over', async (t) => {
  const clock = stoppedClock()
  const {
    app: { http },
    keys,
  } = await testApp(t, { rateLimitPerMinute: 3, clock })
  const headers = { 'x-api-key': keys.projectApiKey }
  const ask = () => send(http, readSessionInfo, 'v3', { headers })
  const remaining = []
  for (let i = 0; i < 3; i++) {
    const reply = await ask()
    assert.equal(reply.status, 200)
    assert.deepEqual([reply.headers['x-ratelimit'], reply.headers['x-ratelimit-window-size']], ['3', '60s'])
    remaining.push(reply.headers['x-ratelimit-remaining'])
  }
  assert.deepEqual(remaining, ['2', '1', '0'])
  const refused = await ask()
  const { slug, message } = envelope(refused, 'fourth call')
  assert.deepEqual([refused.status, slug], [429, 'HTTP_TooManyRequests'])
  assert.equal(refused.body.message, message, 'the message stands at the top level too')
  assert.equal(message, 'Rate limit exceeded. Limit: 3 requests per 1 minutes')
  assert.deepEqual(
    [
      refused.headers['retry-after'],
      refused.headers['x-ratelimit'],
      refused.headers['x-ratelimit-remaining'],
      refused.headers['x-ratelimit-window-size'],
    ],
    ['43', '3', '0', '60s'],
  )
  clock.advance(42_999)
  assert.deepEqual(
    [(await ask()).status, (await ask()).headers['retry-after']],
    [429, '1'],
    'the window is fixed: rejected calls do not move it',
  )
  clock.advance(1)
  const next = await ask()
  assert.deepEqual([next.status, next.headers['x-ratelimit-remaining']], [200, '2'])
})

test('one budget counts every operation of the organization, its failures included', async (t) => {
  const {
    app: { http },
    keys,
  } = await testApp(t, { rateLimitPerMinute: 4, clock: stoppedClock() })
  const project = { 'x-api-key': keys.projectApiKey }
  const failing = routes.find(({ id }) => id === 'authConfigs.read')
  assert.ok(failing)
  const left = []
  for (const [route, request] of [
    [readSessionInfo, { headers: project }],
    [listProjects, { headers: { 'x-org-api-key': keys.organizationApiKey } }],
    [failing, { headers: project, params: { nanoid: 'ac_000000000000' } }],
    [readProjectConfig, { headers: project }],
  ] as const)
    left.push((await send(http, route, 'v3.1', request)).headers['x-ratelimit-remaining'])
  assert.deepEqual(left, ['3', '2', '1', '0'])
  assert.equal(
    (await send(http, listProjects, 'v3', { headers: { 'x-org-api-key': keys.organizationApiKey } })).status,
    429,
  )
})

test('a rejected key uses nothing of the budget, and a limit of 0 is no limit', async (t) => {
  const {
    app: { http },
    keys,
  } = await testApp(t, { rateLimitPerMinute: 1, clock: stoppedClock() })
  for (let i = 0; i < 3; i++)
    assert.equal(
      (await send(http, readSessionInfo, 'v3', { headers: { 'x-api-key': 'ak_wrong' } })).status,
      401,
    )
  assert.equal(
    (await send(http, readSessionInfo, 'v3', { headers: { 'x-api-key': keys.projectApiKey } })).status,
    200,
  )
  const unlimited = await testApp(t, { rateLimitPerMinute: 0, clock: stoppedClock() })
  const reply = await send(unlimited.app.http, readSessionInfo, 'v3', {
    headers: { 'x-api-key': unlimited.keys.projectApiKey },
  })
  assert.deepEqual([reply.status, reply.headers['x-ratelimit']], [200, undefined])
})
