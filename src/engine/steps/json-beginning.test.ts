import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonBeginning } from './json-beginning.ts'

test('the beginning of the JSON is that of the whole JSON, whatever is cut off', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 300 }), (value, max) => {
    const whole = JSON.stringify(value)
    const begun = jsonBeginning(value, max)
    // A text that is itself too long may end where its beginning ends.
    assert.ok(whole.startsWith(begun) || whole.startsWith(begun.slice(0, -1)), `${begun} begins ${whole}`)
    assert.equal(begun.length >= Math.min(max, whole.length) - 1, true)
  }), { numRuns: 300 })
  assert.equal(jsonBeginning({ a: [1, { b: undefined }], c: 'x' }, 100), '{"a":[1,{"b":null}],"c":"x"}')
  let deep: unknown = 1
  for (let n = 0; n < 500; n++) deep = [deep]
  assert.equal(jsonBeginning(deep, 50), '['.repeat(50))
})
