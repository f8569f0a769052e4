import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { EgressError, type EgressRequest } from '../../../platform/egress/index.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { createFetchLimits } from './fetch-limits.ts'
import { createRemoteDocuments } from './remote-json.ts'

const KEYS = 'https://client.example/keys'
const MINUTE_MS = 60_000

interface Published {
  version?: number
  status?: number
  headers?: Record<string, string>
  failure?: EgressError['kind']
}

/** Documents of which only the version is read, a clock that the test moves, and what the hosts published. */
function startDocuments(t: TestContext) {
  let now = 10 ** 9
  t.mock.method(performance, 'now', () => now)
  const requests: EgressRequest[] = []
  const published = new Map<string, Published>()
  const send = async (request: EgressRequest) => {
    requests.push(request)
    const { version, status = 200, headers = {}, failure } = published.get(String(request.url)) ?? {}
    if (failure) throw new EgressError(failure, 'failed')
    return { status, headers, body: Buffer.from(JSON.stringify({ version })), url: '' }
  }
  const parse = (_url: string, json: unknown): number => {
    const { version } = json as { version?: number }
    if (version === undefined) throw new OAuthRequestError('invalid_client', 'no version')
    return version
  }
  const documents = createRemoteDocuments({ send } as never, { name: 'test', parse })
  const read = (url = KEYS, network = 'n', isSufficient?: (version: number) => boolean) =>
    documents.read(url, network, isSufficient).catch((error: unknown) => {
      if (error instanceof OAuthRequestError) return error.error
      throw error
    })
  return { read, published, requests, advance: (ms: number) => void (now += ms) }
}

test('client documents: the last good one is used for an hour while it cannot be fetched again', async (t) => {
  const { read, published, requests, advance } = startDocuments(t)
  const failures: Published[] = [
    { failure: 'timeout' },
    { status: 500 },
    { status: 404 },
    {},
    { failure: 'busy' },
  ]
  for (const failure of failures) {
    published.set(KEYS, { version: 1, headers: { 'cache-control': 'max-age=120' } })
    assert.equal(await read(), 1)
    published.set(KEYS, failure)
    advance(61_000)
    const lacking = await read(KEYS, 'n', () => false)
    assert.equal(lacking, 1, 'a failed search for an unknown key does not remove the known ones')
    const { length } = requests
    assert.equal(await read(KEYS, 'n'), 1)
    assert.equal(requests.length, length, 'still fresh')
    advance(MINUTE_MS)
    assert.equal(await read(), 1, JSON.stringify(failure))
    advance(59 * MINUTE_MS)
    assert.equal(await read(), 1, JSON.stringify(failure))
    advance(2 * MINUTE_MS)
    assert.notEqual(await read(), 1, JSON.stringify(failure))
    advance(2 * MINUTE_MS)
  }
})

test('client documents: one that expired is fetched again every 30 seconds while that fails, and then replaced', async (t) => {
  const { read, published, requests, advance } = startDocuments(t)
  published.set(KEYS, { version: 1, headers: { 'cache-control': 'max-age=60' } })
  await read()
  published.set(KEYS, { failure: 'connect' })
  advance(61_000)
  for (let n = 0; n < 3; n++) assert.equal(await read(), 1)
  assert.equal(requests.length, 2)
  published.set(KEYS, { version: 2 })
  advance(31_000)
  assert.equal(await read(), 2)
  assert.equal(requests.length, 3)
})

test('client documents: callers at the same time share one fetch of a URL', async (t) => {
  const { read, published, requests } = startDocuments(t)
  published.set(KEYS, { version: 1 })
  const versions = await Promise.all(Array.from({ length: 30 }, (_, n) => read(KEYS, `n${n}`)))
  assert.deepEqual([new Set(versions), requests.length], [new Set([1]), 1])
  const missing = 'https://client.example/missing'
  published.set(missing, { failure: 'dns' })
  const errors = await Promise.all(Array.from({ length: 30 }, (_, n) => read(missing, `n${n}`)))
  assert.deepEqual([new Set(errors), requests.length], [new Set(['invalid_client']), 2])
})

test('client documents: an unknown key causes one fetch a minute, whether it succeeds or fails', async (t) => {
  const { read, published, requests, advance } = startDocuments(t)
  published.set(KEYS, { version: 1, headers: { 'cache-control': 'max-age=86400' } })
  await read()
  for (const next of [
    { version: 2, headers: { 'cache-control': 'max-age=86400' } },
    { failure: 'tls' as const },
  ]) {
    advance(61_000)
    published.set(KEYS, next)
    const { length } = requests
    for (let n = 0; n < 20; n++) await read(KEYS, `n${n}`, () => false)
    assert.equal(requests.length, length + 1)
  }
})

test('client documents: Age shortens the time in the cache, no-store forbids it, and errors of this server do not count', async (t) => {
  const { read, published, requests, advance } = startDocuments(t)
  published.set(KEYS, { version: 1, headers: { 'cache-control': 'max-age=120', age: '100' } })
  await read()
  advance(21_000)
  await read()
  assert.equal(requests.length, 2)
  const unstored = 'https://client.example/unstored'
  published.set(unstored, { version: 1, headers: { 'cache-control': 'no-store' } })
  assert.equal(await read(unstored), 1)
  published.set(unstored, { failure: 'reset' })
  assert.equal(await read(unstored), 'invalid_client')
  const late = 'https://client.example/late'
  published.set(late, { failure: 'busy' })
  assert.equal(await read(late), 'temporarily_unavailable')
  published.set(late, { version: 3 })
  assert.equal(await read(late), 3)
})

test('client documents: fetches of one host are limited for all networks, and other hosts are not affected', async (t) => {
  t.mock.method(performance, 'now', () => 10 ** 9)
  const limits = createFetchLimits()
  const outcome = (url: string, network: string, task: () => Promise<unknown> = async () => 'fetched') =>
    limits.run(url, network, task).catch((error: unknown) => (error as OAuthRequestError).error)
  const waiting = Promise.withResolvers<string>()
  const slow = Array.from({ length: 4 }, (_, n) => outcome(`${KEYS}/${n}`, `n${n}`, () => waiting.promise))
  assert.equal(await outcome(KEYS, 'n'), 'temporarily_unavailable')
  assert.equal(await outcome('https://other.example/keys', 'n'), 'fetched')
  waiting.resolve('fetched')
  assert.deepEqual(await Promise.all(slow), Array(4).fill('fetched'))
  for (let n = 0; n < 116; n++) assert.equal(await outcome(`${KEYS}/${n}`, `m${n}`), 'fetched')
  assert.equal(await outcome(KEYS, 'another network'), 'slow_down')
  assert.equal(await outcome('https://other.example/keys', 'another network'), 'fetched')
})
