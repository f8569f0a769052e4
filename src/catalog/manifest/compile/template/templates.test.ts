import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissingValue } from './errors.ts'
import { compileTemplate, lookupFrom, render, renderOptional } from './templates.ts'

const filled = (text: string, values: Record<string, unknown> = {}) =>
  render(compileTemplate(text), lookupFrom(values))

test('places are filled, the first alternative that is set wins, and a text in quotes is a default', () => {
  assert.equal(filled('Bearer {access_token}', { access_token: 't' }), 'Bearer t')
  assert.equal(filled("{a||b||'none'}", { b: 'second' }), 'second')
  assert.equal(filled("{a || b || 'it is {not} a | place'}"), 'it is {not} a | place')
  assert.equal(filled("{a||'x'}", { a: '' }), 'x', 'a form field left blank is not set')
  assert.equal(filled('{user}:{password}', { user: 'u', password: '' }), 'u:', 'a password may be empty')
})

test('filters are applied in order', () => {
  assert.equal(filled('{k|trim|upper}', { k: ' ab ' }), 'AB')
  assert.equal(filled('{k|base64}', { k: 'a:b?>' }), Buffer.from('a:b?>').toString('base64'))
  assert.equal(filled('{k|base64url}', { k: 'a:b?>' }), Buffer.from('a:b?>').toString('base64url'))
  assert.equal(filled('{k|md5}', { k: 'a' }), '0cc175b9c0f1b6a831c399e269772661')
  assert.equal(filled('{k|sha256|lower}', { k: 'a' }).length, 64)
  assert.equal(filled("{k||'a b'|urlencode}"), 'a%20b')
})

test('a name that no field, token or captured value is named is an error with its name, never an empty text', () => {
  for (const values of [{}, { token: null }, { token: undefined }]) {
    assert.throws(
      () => filled('Bearer {token}', values),
      (error) => error instanceof MissingValue && error.missing === 'token',
    )
  }
})

test('a member with an optional place is left out when the place has no value', () => {
  const template = compileTemplate('v{version?}')
  assert.equal(renderOptional(template, lookupFrom({})), undefined)
  assert.equal(renderOptional(template, lookupFrom({ version: 2 })), 'v2')
  assert.throws(() => renderOptional(compileTemplate('{a?}{b}'), lookupFrom({ a: 1 })), MissingValue)
})

test('names are listed once, and those without which it fails apart', () => {
  const template = compileTemplate("{a}/{b||'x'}/{c?}/{a|upper}/{d||e}")
  assert.deepEqual(template.names, ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(template.required, ['a', 'd', 'e'])
})

test('braces of JSON and query languages stay, and a double brace is one', () => {
  assert.equal(filled('{ viewer { login } }'), '{ viewer { login } }')
  assert.equal(filled('query {{viewer {{login}}}'), 'query {viewer {login}}}')
  assert.equal(filled('{"a": {}}'), '{"a": {}}')
})

test('a malformed place is refused when it is compiled', () => {
  for (const text of [
    '{a b}',
    '{a|nofilter}',
    '{a||}',
    '{1a}',
    "{a||'b}",
    '{a|constructor}',
    '{+}',
    '{-a}',
    '{a?|upper}',
  ]) {
    assert.throws(() => compileTemplate(text), SyntaxError, text)
  }
})

test('names of object prototypes find nothing', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.throws(() => filled(`{${name}}`, {}), MissingValue, name)
})

test('values that are no text are written as their text, lists as a,b and objects as JSON', () => {
  assert.equal(
    filled('{n} {b} {l} {o}', { n: 1e21, b: false, l: ['a', 2], o: { a: [1] } }),
    '1e+21 false a,2 {"a":[1]}',
  )
  assert.throws(() => filled('{f}', { f: () => 1 }), MissingValue)
})

test('a value that looks like a template stays text', () => {
  assert.equal(filled('{a}', { a: '{b}', b: 'secret' }), '{b}')
})

test('a long hostile text compiles in linear time', () => {
  assert.throws(() => compileTemplate(`{${'a||'.repeat(50_000)}`), SyntaxError)
  assert.equal(filled('{{'.repeat(50_000)).length, 50_000)
})
