import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError } from './http/api-error.ts'
import { createFairTurns } from './fair-turns.ts'

const { signal } = new AbortController()

test('fair turns: owners take turns, and each has its work done in order', async () => {
  const [takeTurn, order] = [createFairTurns(), [] as string[]]
  const work = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) =>
    takeTurn(name.charAt(0), signal, () => order.push(name)),
  )
  await Promise.all(work)
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

test('fair turns: failed and aborted work ends its own caller only; too much waiting work is rejected', async () => {
  const takeTurn = createFairTurns(3)
  const aborted = AbortSignal.abort(new Error('gone'))
  const outcomes = await Promise.allSettled([
    takeTurn('a', signal, () => {
      throw new Error('broken')
    }),
    takeTurn('a', aborted, () => 'never'),
    takeTurn('a', signal, () => 1),
    takeTurn('a', signal, () => 'too much'),
    takeTurn('b', signal, () => 2),
  ])
  const texts = outcomes.map((one) =>
    one.status === 'fulfilled'
      ? one.value
      : one.reason instanceof ApiError
        ? one.reason.slug
        : (one.reason as Error).message,
  )
  assert.deepEqual(texts, ['broken', 'gone', 1, 'HTTP_ServiceUnavailable', 2])
  assert.equal(await takeTurn('a', signal, () => 'again'), 'again')
})

test('attack: a project with much work waiting does not hold up the requests of others', async (t) => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const takeTurn = createFairTurns()
  let done = 0
  const flood = Array.from({ length: 40 }, () =>
    takeTurn('hostile', signal, () => {
      const endAt = performance.now() + 10
      while (performance.now() < endAt);
      done++
    }),
  )
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.ok(done < 30, `${done} of 40 pieces of work ran before the response to another request`)
  await Promise.all(flood)
})
