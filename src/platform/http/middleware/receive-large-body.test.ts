import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { receiveLargeBody } from './receive-large-body.ts'

const BODY = JSON.stringify({ rows: 'x'.repeat(300_000) })

function receive(more: Record<string, string> = {}, bytesMax = 1_000_000) {
  const payload = new PassThrough()
  const headers = { 'content-type': 'application/json', 'content-length': String(BODY.length), ...more }
  const reading = receiveLargeBody({ payload, headers, bytesMax, turn: null }, 'message', (body) =>
    Promise.resolve(body),
  )
  return { payload, reading }
}

test('large bodies: a body that arrives is checked, and small, compressed or other ones are left to others', async () => {
  const { payload, reading } = receive()
  for (let at = 0; at < BODY.length; at += 65_536) payload.write(BODY.slice(at, at + 65_536))
  payload.end()
  const { bytes, outline } = await reading!
  assert.deepEqual([bytes.toString(), outline.kind], [BODY, 'object'])
  const others: Record<string, string>[] = [
    { 'content-length': '1000' },
    { 'content-length': '-1' },
    { 'content-length': 'many' },
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
  ]
  for (const other of others) assert.equal(receive(other).reading, undefined, JSON.stringify(other))
  assert.equal(receive({}, BODY.length - 1).reading, undefined)
})

test('large bodies: those that end early or break off are errors, and make room for others of the project', async () => {
  for (let n = 0; n < 6; n++) {
    const { payload, reading } = receive()
    payload.write(BODY.slice(0, 1_000))
    if (n % 3 === 0) payload.end()
    else payload.destroy(n % 3 === 1 ? undefined : new Error('reset'))
    await assert.rejects(reading!, { statusCode: 400 })
  }
  const open = Array.from({ length: 4 }, () => receive())
  assert.ok(open.every(({ reading }) => reading !== undefined))
  assert.equal(receive().reading, undefined)
  const rejected = open.map(({ payload, reading }) => {
    payload.destroy()
    return assert.rejects(reading!, { statusCode: 400 })
  })
  await Promise.all(rejected)
})
