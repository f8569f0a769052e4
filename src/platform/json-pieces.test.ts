import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JSON_BOUNDS, JsonTooComplex, parseBoundedJson } from './bounded-json.ts'
import { parseJsonInPieces } from './json-pieces.ts'

/** Returns the value and the number of pieces before the last one; the name of the error for an invalid text. */
function parse(
  text: string,
  { pieceLength = 4, bounds = JSON_BOUNDS } = {},
): { value: unknown; pieces: number } {
  const parsing = parseJsonInPieces(text, bounds, pieceLength)
  for (let pieces = 0; ; pieces++) {
    const { done, value } = parsing.next()
    if (done) return { value, pieces }
  }
}

const outcome = (run: () => unknown): unknown => {
  try {
    return { value: run() }
  } catch (error) {
    return (error as Error).name
  }
}

test('JSON in pieces: every value is what JSON.parse returns, with members in the same order', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6, noUnicodeString: false }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 2),
      (text, pieceLength, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space)
        const { value } = parse(spaced, { pieceLength })
        assert.deepEqual(value, JSON.parse(spaced))
        assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(spaced)))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('JSON in pieces: a damaged text is an error exactly if it is one for JSON.parse', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', ' ', '0', '\\', ',]', ',,'),
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      fc.integer({ min: 1, max: 20 }),
      (json, changes, pieceLength) => {
        let text = json
        for (const [place, inserted] of changes) {
          const at = place % (text.length + 1)
          text = text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 1 : at)
        }
        assert.deepEqual(
          outcome(() => parse(text, { pieceLength }).value),
          outcome(() => parseBoundedJson(text)),
          text,
        )
      },
    ),
    { numRuns: 3_000 },
  )
})

test('JSON in pieces: names that occur twice and __proto__ are members as in JSON.parse', () => {
  const text = '{"a":[1,2,3],"__proto__":{"b":[4,5,6]},"a":[7,8,9],"1":[10,11],"__proto__":[12,13]}'
  const { value } = parse(text, { pieceLength: 1 })
  assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(text)))
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('JSON in pieces: members of a large text are parsed 32 KB at a time, at any depth', () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, tags: ['a', 'b'], note: '"]},'.repeat(20) }))
  const text = JSON.stringify({ page: 1, found: { rows, more: { rows } }, next: null })
  const { value, pieces } = parse(text, { pieceLength: 32 * 1_024 })
  assert.deepEqual(value, JSON.parse(text))
  assert.ok(pieces > text.length / 40_000, `${pieces} pieces of ${text.length} characters`)
})

test('JSON in pieces: the bounds of depth and values hold', () => {
  const bounds = { depth: 3, values: 10 }
  assert.deepEqual(parse('[[[1]]]', { bounds }).value, [[[1]]])
  assert.throws(() => parse('[[[[1]]]]', { bounds }), JsonTooComplex)
  assert.throws(() => parse('[1,2,3,4,5,6,7,8,9,10,11]', { bounds }), JsonTooComplex)
})
