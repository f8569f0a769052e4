import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonBeginning } from './json-beginning.ts'

test('json beginning: of any value it is the beginning of its JSON, or all of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 200 }), (value, max) => {
      const whole = JSON.stringify(value)
      const { text, isWhole } = jsonBeginning(value, max)
      if (isWhole) return assert.equal(text, whole)
      // A long text ends after so many of its characters, with a quote.
      const compared = text.endsWith('"') && !whole.startsWith(text) ? text.slice(0, -1) : text
      assert.ok(whole.startsWith(compared) && text.length > max, `${text} is no beginning of ${whole}`)
    }),
  )
})

test('json beginning: values without JSON are left out, and objects with toJSON are written with it', () => {
  const value = { a: undefined, b: () => 1, c: [undefined], d: new Date(0), e: 'x'.repeat(300) }
  const { text } = jsonBeginning(value, 100)
  assert.ok(JSON.stringify(value).startsWith(text.slice(0, 100)), text)
})

test('json beginning: only the beginning of a large value is read', () => {
  const items = Array.from({ length: 100_000 }, (_, n) => ({ n }))
  let reads = 0
  const counted = new Proxy(items, {
    get(list, name, receiver) {
      reads++
      return Reflect.get(list, name, receiver) as unknown
    },
  })
  const { text, isWhole } = jsonBeginning({ counted }, 500)
  assert.equal(isWhole, false)
  assert.ok(JSON.stringify({ counted: items }).startsWith(text))
  assert.ok(reads < 1_000, `${reads} reads`)
})
