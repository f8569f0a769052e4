import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { EncryptionError } from '../crypto/index.ts'
import { decryptBytes, encryptBytes, encryptedSize, newFileKey } from './file-cipher.ts'

const SEGMENT = 65_536
const HEADER = 33
const STORED_SEGMENT = SEGMENT + 16
const SIZES = [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT, 3 * SEGMENT + 7]

/** Cuts bytes into chunks of any size, as a network does. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    const end = start + randomInt(1, 100_000)
    yield bytes.subarray(start, end)
    start = end
  }
}

async function pass(bytes: Buffer, transform: Transform): Promise<Buffer> {
  const chunks: Buffer[] = []
  await pipeline(Readable.from(chunksOf(bytes), { objectMode: false }), transform, async (stream) => {
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

test('file encryption: bytes of any size in any chunks are the same after it, and their stored size is known', async () => {
  for (const size of SIZES) {
    const [file, bytes] = [newFileKey('file_a'), randomBytes(size)]
    const stored = await pass(bytes, encryptBytes(file))
    assert.equal(stored.length, encryptedSize(size))
    assert.ok((await pass(stored, decryptBytes(file))).equals(bytes), `${size} bytes`)
  }
})

test('file encryption: equal bytes are stored differently each time', async () => {
  const [file, bytes] = [newFileKey('file_a'), Buffer.alloc(100, 'a')]
  const [first, second] = [await pass(bytes, encryptBytes(file)), await pass(bytes, encryptBytes(file))]
  assert.notDeepEqual(first.subarray(HEADER), second.subarray(HEADER))
})

test('file encryption: bytes that were changed, moved, removed or added are not read', async () => {
  const file = newFileKey('file_a')
  const bytes = randomBytes(3 * SEGMENT)
  const stored = await pass(bytes, encryptBytes(file))
  const segment = (number: number) =>
    stored.subarray(HEADER + number * STORED_SEGMENT, HEADER + (number + 1) * STORED_SEGMENT)
  const header = stored.subarray(0, HEADER)
  const flipped = (at: number) => {
    const copy = Buffer.from(stored)
    copy[at]! ^= 1
    return copy
  }
  for (const [name, changed] of Object.entries({
    version: flipped(0),
    salt: flipped(20),
    'first byte': flipped(HEADER),
    tag: flipped(HEADER + STORED_SEGMENT - 1),
    'last byte': flipped(stored.length - 1),
    nothing: Buffer.alloc(0),
    'part of the header': stored.subarray(0, 10),
    'only the header': header,
    'part of a segment': stored.subarray(0, stored.length - 100),
    'the last segment is missing': stored.subarray(0, stored.length - STORED_SEGMENT),
    'two segments are missing': stored.subarray(0, HEADER + STORED_SEGMENT),
    'segments in another order': Buffer.concat([header, segment(1), segment(0), segment(2)]),
    'a segment twice': Buffer.concat([header, segment(0), segment(0), segment(1), segment(2)]),
    'bytes after the end': Buffer.concat([stored, Buffer.alloc(STORED_SEGMENT)]),
    'one byte after the end': Buffer.concat([stored, Buffer.alloc(1)]),
    'in clear': bytes,
  }))
    await assert.rejects(pass(changed, decryptBytes(file)), EncryptionError, name)
  await assert.rejects(pass(stored, decryptBytes({ ...file, id: 'file_b' })), EncryptionError, 'another file')
  await assert.rejects(pass(stored, decryptBytes(newFileKey('file_a'))), EncryptionError, 'another key')
  assert.ok((await pass(stored, decryptBytes(file))).equals(bytes))
})
