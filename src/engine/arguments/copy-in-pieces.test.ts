import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { copyArguments, copyArgumentsInPieces } from './check-arguments.ts'

function run(value: unknown): { copy: unknown; interruptions: number } {
  const work = copyArgumentsInPieces(value)
  for (let interruptions = 0; ; interruptions++) {
    const step = work.next()
    if (step.done) return { copy: step.value, interruptions }
  }
}

test('copy in pieces: the copy equals that in one piece, and shares no object with the value', () => {
  const large = (value: unknown) => ({ rows: Array.from({ length: 2_000 }, () => ['x'.repeat(20), value]) })
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const original = large(value)
      const { copy, interruptions } = run(original)
      assert.deepEqual(copy, copyArguments(original))
      assert.ok(interruptions >= 6, 'it can be interrupted after each thousand values')
      const { rows } = copy as typeof original
      assert.ok(rows !== original.rows && rows.every((row, at) => row !== original.rows[at]))
    }),
    { numRuns: 20 },
  )
})

test('copy in pieces: a small value is copied at once, and a property with the name __proto__ stays a property', () => {
  assert.deepEqual(run({ a: [1, { b: 2 }] }), { copy: { a: [1, { b: 2 }] }, interruptions: 0 })
  const text = `{"__proto__":{"a":["${'x'.repeat(10_000)}"]},"b":1}`
  const { copy } = run(JSON.parse(text))
  assert.equal(JSON.stringify(copy), text)
  assert.equal(Object.getPrototypeOf(copy), Object.prototype)
})
