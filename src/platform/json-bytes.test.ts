import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonBytesInPieces } from './json-bytes.ts'

function run(value: unknown): { text: string; interruptions: number } {
  const work = jsonBytesInPieces(value)
  for (let interruptions = 0; ; interruptions++) {
    const step = work.next()
    if (step.done) return { text: step.value.toString('utf8'), interruptions }
  }
}

test('property: bytes that are made in pieces are those of JSON.stringify', () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }))
  const wide = fc
    .tuple(leaf, fc.integer({ min: 0, max: 300 }))
    .map(([one, n]) => Array(n).fill(one) as unknown[])
  const object = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(leaf, wide))
  fc.assert(
    fc.property(fc.oneof(leaf, wide, object, fc.array(object)), (value) => {
      assert.equal(run(value).text, JSON.stringify(value) ?? 'null')
    }),
  )
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, n === 7 ? undefined : [n]]))
  assert.equal(run({ many }).text, JSON.stringify({ many }))
})

test('bytes in pieces: a large value can be interrupted about each 64 KB, also if only inner lists are long', () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ id: n, note: 'x'.repeat(30) }))
  const length = JSON.stringify(rows).length
  for (const value of [rows, { data: { rows } }, [[{ rows }]]])
    assert.ok(run(value).interruptions >= length / (128 * 1_024), JSON.stringify(value).slice(0, 20))
})
