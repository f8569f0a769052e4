import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MissingValue } from './errors.ts'
import { compileTemplate, lookupFrom, render, renderOptional } from './templates.ts'

const filled = (text: string, values: Record<string, unknown> = {}) =>
  render(compileTemplate(text), lookupFrom(values))

test('templates: the first alternative with a value wins, and a quoted text is the default', () => {
  assert.equal(filled('Bearer {access_token}', { access_token: 't' }), 'Bearer t')
  assert.equal(filled("{a||b||'none'}", { b: 'second' }), 'second')
  assert.equal(filled("{a || b || 'it is {not} a | place'}"), 'it is {not} a | place')
  assert.equal(filled("{a||'x'}", { a: '' }), 'x', 'a form field left blank is not set')
  assert.equal(filled('{user}:{password}', { user: 'u', password: '' }), 'u:', 'a password may be empty')
})

test('templates: filters apply in order', () => {
  assert.equal(filled('{k|trim|upper}', { k: ' ab ' }), 'AB')
  assert.equal(filled('{k|base64}', { k: 'a:b?>' }), Buffer.from('a:b?>').toString('base64'))
  assert.equal(filled('{k|base64url}', { k: 'a:b?>' }), Buffer.from('a:b?>').toString('base64url'))
  assert.equal(filled('{k|md5}', { k: 'a' }), '0cc175b9c0f1b6a831c399e269772661')
  assert.equal(filled('{k|sha256|lower}', { k: 'a' }).length, 64)
  assert.equal(filled("{k||'a b'|urlencode}"), 'a%20b')
})

test('templates: an unknown name is an error with the name, never an empty text', () => {
  for (const values of [{}, { token: null }, { token: undefined }]) {
    assert.throws(
      () => filled('Bearer {token}', values),
      (error) => error instanceof MissingValue && error.missing === 'token',
    )
  }
})

test('templates: a property with an optional placeholder is left out without a value', () => {
  const template = compileTemplate('v{version?}')
  assert.equal(renderOptional(template, lookupFrom({})), undefined)
  assert.equal(renderOptional(template, lookupFrom({ version: 2 })), 'v2')
  assert.throws(() => renderOptional(compileTemplate('{a?}{b}'), lookupFrom({ a: 1 })), MissingValue)
})

test('templates: names are listed once, and required names separately', () => {
  const template = compileTemplate("{a}/{b||'x'}/{c?}/{a|upper}/{d||e}")
  assert.deepEqual(template.names, ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(template.required, ['a', 'd', 'e'])
})

test('templates: braces of JSON and query languages are literal, and a double brace is one brace', () => {
  assert.equal(filled('{ viewer { login } }'), '{ viewer { login } }')
  assert.equal(filled('query {{viewer {{login}}}'), 'query {viewer {login}}}')
  assert.equal(filled('{"a": {}}'), '{"a": {}}')
})

test('templates: a malformed placeholder is rejected when compiled', () => {
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

test('templates: prototype names have no value', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.throws(() => filled(`{${name}}`, {}), MissingValue, name)
})

test('templates: numbers become text, lists a,b and objects JSON', () => {
  assert.equal(
    filled('{n} {b} {l} {o}', { n: 1e21, b: false, l: ['a', 2], o: { a: [1] } }),
    '1e+21 false a,2 {"a":[1]}',
  )
  assert.throws(() => filled('{f}', { f: () => 1 }), MissingValue)
})

test('templates: a value that contains a placeholder is inserted as text', () => {
  assert.equal(filled('{a}', { a: '{b}', b: 'secret' }), '{b}')
})

test('templates: a hostile text of 150,000 characters is compiled or rejected', () => {
  assert.throws(() => compileTemplate(`{${'a||'.repeat(50_000)}`), SyntaxError)
  assert.equal(filled('{{'.repeat(50_000)).length, 50_000)
})
