import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonBeginning } from '../json-beginning.ts'
import { jsonBytesInPieces } from '../json-bytes.ts'
import { isPartlyUnparsed, objectFromOutline, parseAllMembers, parseCheckedMembers } from './index.ts'
import { outlineRequest } from './request-outline.ts'
import { unparsedMember } from './unparsed-object.ts'
import { runToEnd } from '../run-to-end.ts'

function read(text: string): Record<string, unknown> {
  const outline = outlineRequest(Buffer.from(text))
  assert.equal(outline.kind, 'object', text.slice(0, 100))
  if (outline.kind !== 'object') return {}
  return objectFromOutline(Buffer.from(outline.bytes ?? Buffer.from(text)), outline.members)
}

const beginning = (value: unknown): string => jsonBeginning(value, 6_000).text.slice(0, 6_000)

const long = Array.from({ length: 500 }, (_, n) => ({ n, text: 'é"\\{[' }))

test('property: a body that is forwarded without parsing it has the bytes and the value of a parsed one', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(long), fc.constant('é'.repeat(5_000)))
  const names = fc.oneof(fc.string(), fc.constantFrom('2', '1', ''))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(names, fc.oneof({ maxDepth: 6 }, value, tie('tree'))),
  }))
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 1), (one, indent) => {
      const text = JSON.stringify(one, undefined, indent)
      const expected = JSON.parse(text) as object
      if (outlineRequest(Buffer.from(text)).kind !== 'object') return
      assert.ok(runToEnd(jsonBytesInPieces(read(text))).toString() === JSON.stringify(expected))
      assert.equal(beginning(read(text)), beginning(expected))
      const parsed = read(text)
      runToEnd(parseAllMembers(parsed))
      assert.deepEqual(parsed, expected)
      assert.deepEqual(read(text), expected)
    }),
  )
})

test('request outline: what is sent on has one property of each name, and no escape that is not needed', () => {
  const object = read(`{ "a" : { "list" : [1], "list": ${JSON.stringify(long)} , "b\\u0062": "\\u00e9" } }`)
  assert.equal(runToEnd(jsonBytesInPieces(object)).toString(), JSON.stringify({ a: { list: long, bb: 'é' } }))
  assert.ok(unparsedMember(object['a'] as object, 'list'))
})

test('request outline: bodies that cannot be stored are rejected, and unusual ones are left to the other parser', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, n])))
  const broken = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')])
  const outcomes = [
    ...['{"a":1', '', '\ufeff{}', '{"__proto__":1}', '{"a":[{"constructor":{"prototype":1}}]}'],
    ...['{"a":"\\u0000"}', '{"a\\ud800":1}', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ...['[1]', '1', many, '{"a":1e400}', `{"a":${'9'.repeat(400)}}`],
  ].map((text) => outlineRequest(Buffer.from(text)))
  assert.deepEqual(
    outcomes.map((one) => ('reason' in one ? one.reason : one.kind)),
    [
      ...Array<string>(5).fill('invalid'),
      'texts must not hold NUL',
      'texts must be well-formed Unicode',
      'is nested deeper than 100 levels',
      ...Array<string>(5).fill('other'),
    ],
  )
  const outline = outlineRequest(broken)
  assert.equal(outline.kind === 'object' && Buffer.from(outline.bytes!).toString(), '{"a":"\ufffd"}')
})

test('request outline: many objects with many properties are not parsed one property at a time', () => {
  const inner = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`p${n}`, 'x'.repeat(40)]))
  const object = read(
    JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`o${n}`, inner]))),
  )
  const unparsed = Object.keys(object).filter((name) => unparsedMember(object, name))
  assert.equal(unparsed.length, 100)
  const few = read(JSON.stringify({ a: inner }))
  assert.deepEqual([unparsedMember(few, 'a'), isPartlyUnparsed(few)], [undefined, false])
})

test('parse checked members: what a schema says something about is parsed, and nothing else', () => {
  const free = { type: 'object', description: 'Fields.' }
  for (const [schema, expected] of [
    [{ type: 'object', properties: { data: free, list: { type: 'array' } } }, ['list']],
    [{ type: 'object', properties: { data: { ...free, required: ['rows'] } } }, ['rows']],
    [
      { type: 'object', properties: { data: { ...free, properties: { rows: { type: 'array' } } } } },
      ['rows'],
    ],
    [
      { type: 'object', properties: { data: { ...free, additionalProperties: { type: 'array' } } } },
      ['rows'],
    ],
    [{ type: 'object', properties: { data: { $ref: '#/x' } } }, ['rows']],
    [{ type: 'object', patternProperties: { '^(.*)$': {} } }, []],
    [{ type: 'object', patternProperties: { '^(.*)$': { type: 'array' } } }, ['list', 'rows']],
    [{ type: 'object', additionalProperties: false }, []],
    [{ anyOf: [{}] }, ['list', 'rows']],
    [{}, []],
  ] as const) {
    const object = read(JSON.stringify({ data: { rows: long }, list: long }))
    runToEnd(parseCheckedMembers(object, schema))
    const parsed = [
      ...(unparsedMember(object, 'list') ? [] : ['list']),
      ...(unparsedMember(object['data'] as object, 'rows') ? [] : ['rows']),
    ]
    assert.deepEqual(parsed, expected, JSON.stringify(schema))
    assert.deepEqual(object, { data: { rows: long }, list: long })
  }
})
