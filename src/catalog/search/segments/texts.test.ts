import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EncodedTexts, encodeTexts } from './texts.ts'

test('index texts: encoded texts and their numbers are those of an array and a Map', () => {
  const text = fc.oneof(
    fc.stringMatching(/^[a-z_]{1,12}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }).filter((one) => !one.includes('\n')),
  )
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { maxLength: 60 }),
      fc.array(text, { maxLength: 20 }),
      (texts, others) => {
        const encoded = new EncodedTexts(encodeTexts(texts))
        const numbers = encoded.numbers()
        assert.equal(encoded.length, texts.length)
        texts.forEach((one, number) => {
          assert.equal(encoded.at(number), one)
          assert.equal(numbers.get(one), number)
        })
        for (const other of others) assert.equal(numbers.has(other), texts.includes(other), other)
        for (const number of [-1, texts.length]) assert.equal(encoded.at(number), undefined)
        assert.deepEqual(encodeTexts(encoded), encodeTexts(texts), 'they are encoded again as they were')
      },
    ),
    { numRuns: 100 },
  )
})

test('index texts: a text that only begins like another one is not found', () => {
  const numbers = new EncodedTexts(encodeTexts(['order', 'orders list', '注文'])).numbers()
  for (const absent of ['', 'orde', 'order\n', 'orders', 'orders list ', '注', 'x'.repeat(10_000)])
    assert.equal(numbers.get(absent), undefined, absent.slice(0, 20))
  assert.equal(numbers.get('注文'), 2)
})
