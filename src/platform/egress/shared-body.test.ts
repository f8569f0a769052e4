import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localEgress, serve } from '#fixtures/egress.ts'
import { createRequestTurns, runInTurn } from '../http/turns/request-turns.ts'
import { IncompleteBodies, SharedBody } from '../shared-body.ts'
import { countLoopTurns } from '../../../test/fixtures/loop-turns.ts'

const MEGABYTE = 1_024 * 1_024
const timeoutMs = 5_000
const isShared = (body: Buffer) => body.buffer instanceof SharedArrayBuffer

test('egress: a large JSON body arrives in memory that threads can read, and others do not', async (t) => {
  const json = Buffer.from(JSON.stringify({ text: 'é'.repeat(MEGABYTE) }))
  const server = await serve(t, (request, response) => {
    const type = request.url === '/text' ? 'text/plain' : 'application/json; charset=utf-8'
    const body = request.url === '/small' ? json.subarray(0, 1_000) : json
    response.writeHead(200, { 'content-type': type, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  const egress = localEgress(t)
  const get = async (path: string, method = 'GET') =>
    (await egress.send({ method, url: `${server.url}${path}`, timeoutMs })).body
  const [large, small, text, head] = await Promise.all([
    get('/'),
    get('/small'),
    get('/text'),
    get('/', 'HEAD'),
  ])
  assert.ok(isShared(large) && large.equals(json))
  assert.deepEqual(
    [isShared(small), isShared(text), small.length, text.length],
    [false, false, 1_000, json.length],
  )
  assert.equal(head.length, 0)
})

test('egress: while other projects are active, a large body is read one chunk in a turn of the event loop', async (t) => {
  const json = Buffer.from(JSON.stringify({ text: 'é'.repeat(2 * MEGABYTE) }))
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length })
    response.end(json)
  })
  const turnOfLoop = countLoopTurns(t)
  const askedAt: number[] = []
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start('a', 'call', () => new AbortController().signal, 0)
  const isShared = () => {
    askedAt.push(turnOfLoop())
    return true
  }
  const observed = Object.assign(turn, { isShared, hasNeighbour: () => false })
  const { body } = await runInTurn(observed, () =>
    localEgress(t).send({ method: 'GET', url: `${server.url}/`, timeoutMs }),
  )
  assert.ok(body.equals(json))
  // The queue of slices asks too, in the turn in which it lets the next chunk be read.
  const perTurn = [...Map.groupBy(askedAt, (at) => at).values()].map(({ length }) => length)
  assert.ok(perTurn.length >= 20, `${json.length} bytes in ${perTurn.length} turns`)
  assert.ok(Math.max(...perTurn) <= 2, perTurn.join(' '))
})

test('attack: servers that announce large bodies and send nothing reserve at most 64 MB', () => {
  const headers = { 'content-type': 'application/json', 'content-length': String(10 * MEGABYTE) }
  const incomplete = new IncompleteBodies()
  const bodies = Array.from({ length: 10 }, () => SharedBody.reserve(headers, incomplete))
  assert.equal(bodies.filter(Boolean).length, 6)
  for (const body of bodies) {
    body?.close()
    body?.close()
  }
  const again = Array.from({ length: 10 }, () => SharedBody.reserve(headers, incomplete))
  assert.equal(again.filter(Boolean).length, 6)
  for (const body of again) body?.close()
})
