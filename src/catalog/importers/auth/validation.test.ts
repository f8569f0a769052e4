import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom } from '#fixtures/openapi-documents.ts'

const KEY = { type: 'apiKey', in: 'header', name: 'X-Key' }
const imported = (paths: Record<string, object>, scheme: object | null = KEY) =>
  importedFrom({
    openapi: '3.0.0',
    info: { title: 'Data', version: '1' },
    servers: [{ url: 'https://data.example/v1' }],
    ...(scheme && { components: { securitySchemes: { key: scheme } }, security: [{ key: [] }] }),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operation]) => [path, { get: { responses: {}, ...operation } }]),
    ),
  })

test('imported validation: credentials are tried with the read that returns their owner; the report names it', () => {
  const { toolkit, report } = imported({ '/items': {}, '/users/me': {}, '/api/v2/users/current': {} })
  assert.deepEqual(toolkit.auth[0]!.validate, { path: '/users/me' })
  assert.deepEqual(report.notes, ['New credentials are tried with GET /users/me.'])
})

const ARRAY = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }
const listOf = (name: string, schema: object = { type: 'integer' }, more: object[] = []) => ({
  parameters: [{ name, in: 'query', schema }, ...more],
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: ARRAY } } } },
})

test('imported validation: without a read of the owner, the first item of the shortest list is read', () => {
  const version = { name: 'X-Version', in: 'header', schema: { type: 'string' } }
  for (const [paths, expected, note] of [
    [
      { '/long/items': listOf('limit'), '/items': listOf('per_page', { type: 'integer' }, [version]) },
      { path: '/items', query: { per_page: '1' }, accepts_403: true },
      'New credentials are tried with GET /items?per_page=1. The status 403 does not reject them: they may lack the ' +
        'permission for this list.',
    ],
    [
      { '/items': listOf('limit', { type: 'integer', minimum: 10 }) },
      { path: '/items', query: { limit: '10' }, accepts_403: true },
      undefined,
    ],
    [
      { '/items': listOf('limit', { type: 'integer', enum: [50, 20] }) },
      { path: '/items', query: { limit: '20' }, accepts_403: true },
      undefined,
    ],
    [{ '/items': listOf('limit'), '/users/me': {} }, { path: '/users/me' }, undefined],
  ] as const) {
    const { toolkit, report } = imported(paths)
    assert.deepEqual(toolkit.auth[0]!.validate, expected)
    if (note) assert.deepEqual(report.notes, [note])
  }
})

test('imported validation: writes, open operations, large pages and reads with required arguments are not used', () => {
  const needed = { parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }] }
  const unusable: Record<string, object>[] = [
    { '/items': {} },
    { '/items': { ...listOf('limit'), security: [] }, '/notes': {} },
    { '/items': { ...listOf('limit'), operationId: 'purgeItems' } },
    { '/items': listOf('limit', { type: 'integer', minimum: 500 }) },
    { '/items': listOf('limit', { type: 'boolean' }) },
    { '/items': { ...listOf('limit'), responses: {} } },
    {
      '/users/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] },
    },
    { '/me': needed },
    { '/me': { security: [] }, '/items': {} },
    { '/me': { operationId: 'deleteMe' } },
  ]
  for (const paths of unusable)
    assert.equal(imported(paths).toolkit.auth[0]!.validate, undefined, JSON.stringify(paths))
})

test('imported validation: a document without a way to sign in says that calls carry no credentials', () => {
  const { toolkit, report } = imported({ '/me': {} }, null)
  assert.deepEqual(
    toolkit.auth.map(({ scheme }) => scheme),
    ['NO_AUTH'],
  )
  assert.match(
    report.notes.join(),
    /^The document declares no way to sign in, so that calls carry no credentials\./,
  )
})

test('imported password flow: a sign-in path without a host is below the base URL of the connection', () => {
  const { toolkit } = importedFrom({
    openapi: '3.0.0',
    info: { title: 'Data', version: '1' },
    components: {
      securitySchemes: {
        key: { type: 'oauth2', flows: { password: { tokenUrl: 'auth/token', scopes: {} } } },
      },
    },
    security: [{ key: [] }],
    paths: { '/items': { get: { responses: {} } } },
  })
  const [scheme] = toolkit.auth as unknown as [{ scheme: string; sign_in: { path: string } }]
  assert.deepEqual([scheme.scheme, scheme.sign_in.path], ['BASIC', '/auth/token'])
})
