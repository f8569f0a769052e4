import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCondition, type ConditionManifest } from './conditions.ts'
import { compilePath } from '../template/paths.ts'

const holds = (
  condition: ConditionManifest,
  response: { status?: number; headers?: Record<string, string | string[]>; body?: unknown },
) => compileCondition(condition)({ status: 200, headers: {}, body: undefined, ...response })

test('response path: keys and indexes are followed', () => {
  const value = { a: [{ b: 1 }, [2]], 'x-y': { 0: 'zero' } }
  assert.equal(compilePath('a[0].b')(value), 1)
  assert.equal(compilePath('a[1][0]')(value), 2)
  assert.equal(compilePath('x-y.0')(value), 'zero')
  assert.equal(compilePath('$')(value), value)
  assert.equal(compilePath('a[7].b.c')(value), undefined)
})

test('response path: a list item is selected by name, the first of several', () => {
  const value = {
    headers: [
      null,
      'Subject',
      { name: { toString: 1 } },
      { name: 'subject', value: 'Monday' },
      { name: 'Subject', value: 'Later' },
      { name: 7, value: 'seven' },
    ],
    at: { name: 'Subject' },
  }
  assert.deepEqual(
    [
      'headers[name=Subject].value',
      'headers[name=7].value',
      'headers[name=Date].value',
      'headers[value=Later].name',
      'at[name=Subject]',
      'headers[length=6]',
    ].map((path) => compilePath(path)(value)),
    ['Monday', 'seven', undefined, 'Subject', undefined, undefined],
  )
})

test('response path: only own properties are read', () => {
  for (const path of ['constructor', 'constructor.name', '__proto__', 'length', 'a.length', 'toString[0]']) {
    for (const value of [{}, [], 'text', 7, null, undefined, { a: 'text' }])
      assert.equal(compilePath(path)(value), undefined, path)
  }
  assert.equal(compilePath('a[0]')({ a: 'text' }), undefined)
  assert.equal(compilePath('a[0]')({ a: { 0: 'x' } }), undefined)
})

test('response path: an invalid path is rejected when compiled', () => {
  for (const path of [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[x]',
    'a[0',
    'a[=x]',
    'a[x=]',
    'a[x=[y]]',
    '[x=y]',
    '$.a b',
    '[0]',
    'a b',
  ])
    assert.throws(() => compilePath(path), SyntaxError, path)
})

test('response condition: status, header and body must all match', () => {
  const condition = {
    status: [400, 403],
    header: { name: 'X-Left', equals: '0' },
    body: { path: 'error.code', one_of: ['limit', 7] },
  }
  const response = { status: 403, headers: { 'x-left': '0' }, body: { error: { code: 7 } } }
  assert.equal(holds(condition, response), true)
  assert.equal(holds(condition, { ...response, status: 404 }), false)
  assert.equal(holds(condition, { ...response, headers: {} }), false)
  assert.equal(holds(condition, { ...response, body: { error: { code: '7' } } }), false)
  assert.equal(holds({}, {}), true)
})

test('response condition: body parts compare JSON values, search texts, and distinguish null from absent', () => {
  assert.equal(holds({ body: { path: 'ok', equals: false } }, { body: { ok: false } }), true)
  assert.equal(holds({ body: { path: 'ok', equals: false } }, { body: {} }), false)
  assert.equal(holds({ body: { path: 'a', equals: { x: [1] } } }, { body: { a: { x: [1] } } }), true)
  assert.equal(holds({ body: { path: 'a', equals: null } }, { body: { a: null } }), true)
  assert.equal(
    holds({ body: { path: 'a', contains: 'secondary' } }, { body: { a: 'a secondary limit' } }),
    true,
  )
  assert.equal(holds({ body: { path: 'a', contains: 'x' } }, { body: '<html>' }), false)
  assert.equal(holds({ body: { path: 'a', exists: true } }, { body: { a: null } }), true)
  assert.equal(holds({ body: { path: 'a', exists: false } }, { body: 'text' }), true)
  assert.equal(holds({ body: { path: 'a' } }, { body: { a: 0 } }), true)
})

test('response condition: header parts match one value or several', () => {
  assert.equal(holds({ header: { name: 'retry-after' } }, { headers: { 'retry-after': '3' } }), true)
  assert.equal(holds({ header: { name: 'retry-after', exists: false } }, { headers: {} }), true)
  assert.equal(holds({ header: { name: 'a', equals: 'x, y' } }, { headers: { a: ['x', 'y'] } }), true)
  assert.equal(holds({ header: { name: 'constructor' } }, {}), false)
})
