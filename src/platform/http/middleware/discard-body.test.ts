import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { RequestTurn } from '../turns/request-turns.ts'
import { discardUnreadBody } from './discard-body.ts'

const CHUNK = 'x'.repeat(60_000)
const CHUNKS = 5
const LARGE = { 'content-length': String(CHUNKS * CHUNK.length) }

/** A rejected request whose body has arrived, and the number of portions for which its project has waited. */
function rejected(headers: Record<string, string>, isShared = true) {
  const raw = new PassThrough({ highWaterMark: 10_000_000 })
  for (let n = 0; n < CHUNKS; n++) raw.write(CHUNK)
  let portions = 0
  const turn = {
    projectId: 'a',
    isShared: () => isShared,
    hasNeighbour: () => false,
    startSlices: () => void portions++,
    endSlices() {},
  } as Partial<RequestTurn>
  discardUnreadBody({ raw, headers, turn } as unknown as Parameters<typeof discardUnreadBody>[0])
  raw.end()
  return { raw, portions: () => portions }
}

test('rejected bodies: a large one is read, each chunk when it is the turn of its project', async () => {
  for (const headers of [LARGE, { 'transfer-encoding': 'chunked' }]) {
    const { raw, portions } = rejected(headers)
    await once(raw, 'end')
    assert.equal(portions(), CHUNKS)
  }
})

test('rejected bodies: a project that is alone does not wait', async () => {
  const { raw, portions } = rejected(LARGE, false)
  await once(raw, 'end')
  assert.equal(portions(), 0)
})

test('rejected bodies: small ones and those that were read are left to Node', () => {
  assert.equal(rejected({ 'content-length': '100000' }).raw.readableDidRead, false)
  assert.equal(rejected({}).raw.readableDidRead, false)
  const raw = new PassThrough()
  raw.write(CHUNK)
  raw.read()
  discardUnreadBody({ raw, headers: LARGE } as unknown as Parameters<typeof discardUnreadBody>[0])
  assert.equal(raw.listenerCount('data'), 0)
})
