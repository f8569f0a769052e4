import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProcessorTime } from '#fixtures/processor-time.ts'
import {
  exceededBound,
  JSON_BOUNDS,
  JsonTooComplex,
  parseBoundedJson,
  parseBoundedJsonOrUndefined,
} from './bounded-json.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const megabytes = 10 * 1024 * 1024
const repeated = (text: string) =>
  `[${Array(Math.floor(megabytes / (text.length + 1)))
    .fill(text)
    .join()}]`

test('bounded JSON: returns what JSON.parse returns', () => {
  for (const text of [
    '{"a":[1,2,{"b":null}],"c":"\\"[[[,,,"}',
    '"text"',
    '12.5',
    ' true ',
    '{"__proto__":{"x":1}}',
    nested(JSON_BOUNDS.depth),
    JSON.stringify(Array(1_000).fill({ text: '[{,}]'.repeat(100), quote: '\\"\\\\' })),
  ]) {
    assert.deepEqual(parseBoundedJson(text), JSON.parse(text))
  }
  assert.throws(() => parseBoundedJson('{"a":'), SyntaxError)
  assert.equal(parseBoundedJsonOrUndefined('{"a":'), undefined)
})

test('bounded JSON: rejects a text that is nested too deeply or has too many values', () => {
  const bounds = { depth: 3, values: 6 }
  assert.equal(exceededBound('[[[1]]]', bounds), undefined)
  assert.equal(exceededBound('[[[[]]]]', bounds), 'depth')
  const short = { depth: 3, values: 1_000 }
  assert.equal(exceededBound('[[[[]]]]', short), 'depth')
  assert.equal(exceededBound('{"a":[{"b":[]}]}', short), 'depth')
  assert.equal(exceededBound('[[],[],[],[]]', short), undefined)
  assert.equal(exceededBound('["[[[[[["]', short), undefined)
  assert.equal(exceededBound('[1,2,3,4]', bounds), undefined)
  assert.equal(exceededBound('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', bounds), 'values')
  assert.equal(exceededBound('["a,b,c,d,e,f,g,\\",h","[[[[[["]', bounds), undefined)
  assert.equal(exceededBound('[1,2],[3,4],[5,6]', bounds), 'values')
  assert.throws(() => parseBoundedJson('[[[[0]]]]', bounds), {
    name: 'JsonTooComplex',
    bound: 'depth',
    message: 'is nested deeper than 3 levels',
  })
  assert.throws(() => parseBoundedJson('[0,0,0,0,0,0,0]', bounds), {
    bound: 'values',
    message: 'has more than 6 values',
  })
})

for (const [title, text] of [
  ['brackets', nested(megabytes / 2)],
  ['brackets in lists', repeated(nested(50))],
  ['empty lists', repeated('[]')],
  ['numbers', repeated('0')],
  ['objects with distinct keys', `[${Array.from({ length: 600_000 }, (_, i) => `{"k${i}":0}`).join()}]`],
] as const) {
  test(`bounded JSON: 10 MB of ${title} are rejected in the time that 20 MB of ordinary JSON take`, async () => {
    let error: unknown
    const processorTime = await measureProcessorTime(() => {
      try {
        parseBoundedJson(text)
      } catch (caught) {
        error = caught
      }
    })
    assert.ok(error instanceof JsonTooComplex)
    assert.ok(processorTime < 15, `${processorTime} units`)
  })
}
