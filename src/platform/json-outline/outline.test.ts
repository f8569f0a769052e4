import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { outlineJson } from './outline.ts'
import { JsonOutliner } from './outline-thread.ts'
import { objectFromOutline } from './unparsed-object.ts'

const outline = (text: string) => outlineJson(Buffer.from(text), true)

function read(text: string): Record<string, unknown> {
  const found = outline(text)
  assert.equal(found.kind, 'object', text.slice(0, 100))
  return objectFromOutline(Buffer.from(text), found.kind === 'object' ? found.members : [])
}

test('property: an object that is read from its outline is the one that JSON.parse returns', () => {
  const long = fc.constant('é"\\{['.repeat(2_000))
  const value = fc.oneof(fc.jsonValue(), long, fc.array(long, { maxLength: 3 }))
  const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '2', '1', '')), value)
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1), (one, indent) => {
      const text = JSON.stringify(one, undefined, indent)
      assert.deepEqual(read(text), JSON.parse(text))
      assert.deepEqual(Object.keys(read(text)), Object.keys(JSON.parse(text) as object))
      assert.equal(JSON.stringify(read(text)), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('outline: of two properties with one name the last one counts, as for JSON.parse', () => {
  const text = ` { "a" : 1, "b\\u0022" :[2] , "a": "${'x'.repeat(5_000)}" }`
  assert.deepEqual(read(text), JSON.parse(text))
})

test('outline: a long property is parsed when it is read, once, and can be replaced', () => {
  const object = read(`{"short":[1],"long":[${'{},'.repeat(5_000)}{}]}`)
  const isUnread = () => Object.getOwnPropertyDescriptor(object, 'long')?.get !== undefined
  assert.deepEqual([object['short'], isUnread()], [[1], true])
  assert.equal((object['long'] as object[]).length, 5_001)
  assert.deepEqual([object['long'] === object['long'], isUnread()], [true, false])
  const other = read(`{"long":"${'x'.repeat(5_000)}"}`)
  other['long'] = 1
  assert.deepEqual(other, { long: 1 })
})

test('outline: other values, invalid texts and those beyond the bounds have none', () => {
  const many = `{${Array.from({ length: 300 }, (_, n) => `"p${n}":1`).join()}}`
  const texts = ['[1]', '"{"', '1', 'null', many, '{"a":1', '', '\ufeff{}', '['.repeat(200), '{"a":1}x']
  assert.deepEqual(
    texts.map((text) => outline(text).kind),
    ['other', 'other', 'other', 'other', 'other', 'invalid', 'invalid', 'invalid', 'too complex', 'invalid'],
  )
  const broken = Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')])
  assert.equal(
    outlineJson(broken, isUtf8(broken)).kind,
    'other',
    'not in UTF-8, so it cannot be sent as it is',
  )
})

test('outline thread: projects take turns, and a thread that fails leaves the text to the caller', async () => {
  const outliner = new JsonOutliner()
  const order: string[] = []
  const run = async (project: string, text: string) => {
    const found = await outliner.outline(project, Buffer.from(text))
    order.push(project)
    return found.kind
  }
  const kinds = await Promise.all([run('a', '{"a":1}'), run('a', '[]'), run('a', '{'), run('b', '{}')])
  assert.deepEqual(
    [kinds, order],
    [
      ['object', 'other', 'invalid', 'object'],
      ['a', 'a', 'b', 'a'],
    ],
  )
  const failing = new JsonOutliner(new URL('data:text/javascript,process.exit(1)'))
  const outcomes = await Promise.all(['{}', '{}'].map((text) => failing.outline('a', Buffer.from(text))))
  assert.deepEqual(outcomes, [{ kind: 'other' }, { kind: 'other' }])
})
