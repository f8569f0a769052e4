import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderUrl } from './url.ts'
import { MissingValue, UnsafeValue } from './errors.ts'
import { compileTemplate, lookupFrom } from './templates.ts'

const address = (text: string, values: Record<string, unknown> = {}) =>
  renderUrl(compileTemplate(text), lookupFrom(values))

test('URL template: path values are percent-encoded except unreserved characters of RFC 3986', () => {
  assert.equal(
    address('/repos/{owner}/{repo}', { owner: "a/b?c#d%e f!'()*", repo: 'x-._~Z9' }),
    '/repos/a%2Fb%3Fc%23d%25e%20f%21%27%28%29%2A/x-._~Z9',
  )
  assert.equal(address('/t/{x}', { x: 'ü\ud800' }), '/t/%C3%BC%EF%BF%BD')
})

test('URL template: `{+name}` leaves only slashes unencoded', () => {
  assert.equal(address('/contents/{+path}', { path: 'docs/a b?.md' }), '/contents/docs/a%20b%3F.md')
})

test('URL template: a value cannot traverse the path', () => {
  for (const path of ['..', '.', '../x', 'a/../b', 'a/..', '..\\x', '%2e%2e', 'a/%2E%2e/b', '/..']) {
    assert.throws(() => address('/contents/{+path}/x', { path }), UnsafeValue, path)
    assert.throws(() => address('/contents/{path}/x', { path }), UnsafeValue, path)
  }
  assert.throws(() => address('/x/{a}{b}/y', { a: '.', b: 'z' }), UnsafeValue)
  assert.throws(() => address('/x/.{a}/y', { a: '%2e' }), UnsafeValue)
  assert.equal(address('/x/{a}', { a: '...' }), '/x/...')
  assert.equal(address('/x/{a}', { a: 'v1..v2' }), '/x/v1..v2')
})

test('URL template: a value cannot change the host of the request', () => {
  assert.throws(() => address('/{+path}', { path: '/evil.example/x' }), UnsafeValue)
  for (const subdomain of [
    'evil.example/',
    'evil.example#',
    'a@evil.example',
    'evil.example?',
    'a b',
    'evil.example\\',
    '..',
    '.a',
    'a.',
    'evil／x',
    'a%2f',
  ]) {
    assert.throws(
      () => address('https://{subdomain}.shop.example/api', { subdomain }),
      UnsafeValue,
      subdomain,
    )
  }
  assert.equal(
    address('https://{subdomain}.shop.example/api/{v}', { subdomain: 'my-store', v: '1/2' }),
    'https://my-store.shop.example/api/1%2F2',
  )
  assert.equal(address('https://{host}/api', { host: 'shop.example:8443' }), 'https://shop.example:8443/api')
})

test('URL template: a base URL value has no user, query, fragment or other scheme', () => {
  assert.equal(
    address('{instance_url}/services', { instance_url: 'https://eu.shop.example/base/' }),
    'https://eu.shop.example/base/services',
  )
  assert.equal(address("{region||'https://api.shop.example'}/v1"), 'https://api.shop.example/v1')
  for (const instance_url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://a@b',
    'https://a?x',
    'https://a#x',
    'shop.example',
    'https://',
    ' https://a',
    'https://a\\b',
  ]) {
    assert.throws(() => address('{instance_url}/x', { instance_url }), UnsafeValue, instance_url)
  }
})

test('URL template: an empty path value is an error, so "delete this" cannot become "delete all"', () => {
  assert.throws(
    () => address('/items/{id}', { id: '' }),
    (error) => error instanceof MissingValue && error.missing === 'id',
  )
  assert.equal(address("/items{suffix||''}"), '/items')
})

test('URL template: a query value is encoded', () => {
  assert.equal(address('/x?q={q}', { q: 'a&b=/../' }), '/x?q=a%26b%3D%2F..%2F')
})

test('URL template: the error names the placeholder and never contains the value', () => {
  assert.throws(
    () => address('https://{host}.x', { host: 'sec ret' }),
    (error: Error) => error.message.includes('host') && !error.message.includes('ret'),
  )
})
