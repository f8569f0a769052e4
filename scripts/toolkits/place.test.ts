import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOperation, serverOf } from './place.ts'

const OPERATION = { method: 'get', path: '/v1/orders/{id}' }
const placed = (server: string | undefined, base: string, overlay = {}) =>
  placeOperation(OPERATION, server, base, overlay)?.path

test('place of an operation: a document without a host, or with the host of the toolkit, is about the toolkit', () => {
  for (const server of [undefined, 'https://api.shop.com', '//api.shop.com', 'http://localhost:8080', '/'])
    assert.equal(placed(server, 'https://api.shop.com'), '/v1/orders/{id}', String(server))
  assert.equal(placed('https://api.shop.com/v1', 'https://api.shop.com'), '/v1/v1/orders/{id}')
})

test('place of an operation: parameters of the base path may have other names in the document', () => {
  const company = { method: 'get', path: '/v3/company/{realm-id}/bill/{id}' }
  const base = 'https://api.shop.com/v3/company/{realm_id}'
  assert.equal(placeOperation(company, 'https://api.shop.com', base, {})?.path, '/bill/{id}')
  assert.equal(placeOperation({ ...company, path: '/v3/{id}' }, 'https://api.shop.com', base, {}), undefined)
})

test('place of an operation: what differs between customers fits', () => {
  for (const server of ['https://{tenant}', 'https://acme.shop.com', 'https://{name}.shop.com'])
    assert.equal(placed(server, 'https://{subdomain}.shop.com'), '/v1/orders/{id}', server)
  assert.equal(placed('https://any.host.example', '{base_url}'), '/v1/orders/{id}')
  assert.equal(placed('https://us.shop.io', "{region_url||'https://shop.io'}"), '/v1/orders/{id}')
})

test('place of an operation: a fixed host of the same domain is written out', () => {
  assert.equal(
    placed('https://files.shop.com', 'https://api.shop.com'),
    'https://files.shop.com/v1/orders/{id}',
  )
})

test('place of an operation: a document about another host is left out, unless the overlay names it', () => {
  for (const [server, base] of [
    ['https://api.kompany.com', 'https://platform.brexapis.com'],
    ['http://whatsapp.local', 'https://graph.facebook.com'],
    ['https://data.{region}.algolia.com', 'https://{application_id}.algolia.net'],
    ['https://{network}.g.alchemy.com', 'https://eu.alchemy.com'],
  ] as const)
    assert.equal(placed(server, base), undefined, server)
  const servers = { 'https://old.shop.net': 'https://api.shop.com' }
  assert.equal(placed('https://old.shop.net', 'https://api.shop.com', { servers }), '/v1/orders/{id}')
})

test('server of an operation: variables with a list of values have their default, others stay open', () => {
  const variables = new Map([
    ['region', { default: 'us', enum: ['us', 'de'], description: undefined }],
    ['tenant', { default: 'your-domain', enum: [], description: undefined }],
  ])
  const server = { url: 'https://{region}.{tenant}.shop.com', description: undefined, variables }
  assert.equal(serverOf({ servers: [] }, [server]), 'https://us.{tenant}.shop.com')
})
