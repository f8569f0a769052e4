import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, compiled } from './servers.ts'
import { importedFrom, oneOperation } from '#fixtures/openapi-documents.ts'

const server = (url: string, variables: Record<string, { default?: string; enum?: string[] }> = {}) => ({
  url,
  description: undefined,
  variables: new Map(
    Object.entries(variables).map(([name, one]) => [
      name,
      { default: one.default, enum: one.enum ?? [], description: undefined },
    ]),
  ),
})

test('imported servers: the base URL is resolved relative to the URL of the document', () => {
  const from = 'https://docs.example/specs/v2/openapi.json'
  for (const [url, expected] of [
    ['https://a.example/v1/', 'https://a.example/v1'],
    ['//a.example/v1', 'https://a.example/v1'],
    ['/api', 'https://docs.example/api'],
    ['../api', 'https://docs.example/specs/api'],
    ['', 'https://docs.example/specs/v2/openapi.json'],
    ['api.a.example/v1', 'https://api.a.example/v1'],
    ['https://a.example/v1?x=1#y', 'https://a.example/v1'],
    ['ftp://a.example', undefined],
    ['https://user:pw@a.example', undefined],
    ['https://', undefined],
  ] as const)
    assert.equal(compiled(server(url), from)?.template, expected, url)
  assert.equal(compiled(server('/api'), ''), undefined)
})

test('imported servers: variables are connection fields with defaults', () => {
  const address = compiled(
    server('{scheme}://{tenant}.a.example:{port}/{base-path}', {
      scheme: { default: 'http' },
      tenant: {},
      port: { default: '8443' },
      'base-path': { default: 'v2/api' },
    }),
    '',
  )!
  assert.equal(address.template, "https://{tenant}.a.example:{port||'8443'}/{+base_path||'v2/api'}")
  assert.deepEqual(
    address.fields.map(({ name, required, default: fallback }) => [name, required, fallback]),
    [
      ['tenant', undefined, undefined],
      ['port', false, '8443'],
      ['base_path', false, 'v2/api'],
    ],
  )
  assert.equal(address.needsConnection, true)
  assert.equal(
    compiled(server('https://{h}.a.example', { h: { default: "x'}{evil" } }), '')!.template,
    'https://{h}.a.example',
  )
})

test('imported servers: the public https server is the default, and a connection can select another', () => {
  const address = addressOf(
    [
      server('http://localhost:8080'),
      server('http://a.example'),
      server('https://a.example'),
      server('https://sandbox.a.example'),
    ],
    '',
  )!
  assert.equal(address.template, "{server||'https://a.example'}")
  assert.deepEqual(address.fields[0]!.enum, [
    'http://localhost:8080',
    'http://a.example',
    'https://a.example',
    'https://sandbox.a.example',
  ])
  assert.equal(address.needsConnection, false)
})

test('imported servers: the base path of a document without a host stays below the base URL', () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'DNS', version: '1' },
    basePath: '/api/v1',
    paths: { '/zones': { get: { responses: {} } } },
  }
  const { toolkit } = importedFrom(swagger)
  assert.equal(toolkit.base_url, '{base_url}/api/v1')
  const [field] = toolkit.auth[0]!.fields!.connected_account_initiation!
  assert.match((field as { description: string }).description, /without \/api\/v1/)
  assert.equal(importedFrom({ ...swagger, basePath: '/../x' }).toolkit.base_url, '{base_url}')
})

test('imported servers: without a base URL in the document, each connection supplies it', () => {
  const { toolkit } = importedFrom(oneOperation({}, { servers: [{ url: '/v1' }] }))
  assert.deepEqual(
    [
      toolkit.base_url,
      toolkit.auth.map(({ scheme, fields }) => [
        scheme,
        fields?.omit,
        fields?.connected_account_initiation?.map(({ name }) => name),
      ]),
    ],
    ['{base_url}/v1', [['API_KEY', ['generic_api_key'], ['base_url']]]],
  )
  assert.equal(
    importedFrom(oneOperation({}, { servers: [{ url: '/v1' }] }), {
      address: 'https://a.example/openapi.yaml',
    }).toolkit.base_url,
    'https://a.example/v1',
  )
  assert.equal(
    importedFrom(oneOperation({}), { server: 'https://mine.example/x/' }).toolkit.base_url,
    'https://mine.example/x',
  )
})
