import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom, sampleDocument } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>

/** A document whose operations have these `security` values; undefined says nothing. */
const secured = (securitySchemes: Json, securities: unknown[], more: Json = {}) =>
  importedFrom(
    sampleDocument(
      Object.fromEntries(
        securities.map((security, index) => [
          `/p${index}`,
          { get: { operationId: `op${index}`, responses: {}, ...(security !== undefined && { security }) } },
        ]),
      ),
      { components: { securitySchemes }, ...more },
    ),
  )

const KEY = { type: 'apiKey', in: 'header', name: 'X-Api-Key' }
const flows = (name: string, scopes = { read: 'Reads.', write: 'Writes.' }) => ({
  type: 'oauth2',
  flows: { [name]: { authorizationUrl: 'https://id.example/authorize', tokenUrl: '/token', scopes } },
})

test('imported auth: every scheme type becomes its manifest scheme', () => {
  for (const [scheme, expected] of [
    [KEY, { scheme: 'API_KEY', apply: { headers: { 'x-api-key': '{generic_api_key}' } } }],
    [
      { type: 'apiKey', in: 'query', name: 'key' },
      { scheme: 'API_KEY', apply: { headers: undefined, query: { key: '{generic_api_key}' } } },
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'session' },
      { scheme: 'API_KEY', apply: { headers: { cookie: 'session={generic_api_key}' } } },
    ],
    [{ type: 'http', scheme: 'Basic' }, { scheme: 'BASIC' }],
    [{ type: 'http', scheme: 'bearer' }, { scheme: 'BEARER_TOKEN' }],
    [
      { type: 'http', scheme: 'OAuth' },
      { scheme: 'BEARER_TOKEN', apply: { headers: { authorization: 'OAuth {token}' } } },
    ],
    [flows('implicit'), { scheme: 'BEARER_TOKEN' }],
    [
      flows('password'),
      {
        scheme: 'BASIC',
        sign_in: {
          path: 'https://api.shop.example/token',
          params: { grant_type: 'password', username: '{username}', password: '{password}' },
          token: 'access_token',
          expires_in: 'expires_in',
        },
        apply: { headers: { authorization: 'Bearer {session_token}' } },
      },
    ],
    [{ type: 'openIdConnect', openIdConnectUrl: 'https://id.example' }, { scheme: 'BEARER_TOKEN' }],
    [
      flows('authorizationCode'),
      {
        scheme: 'OAUTH2',
        authorize: { url: 'https://id.example/authorize' },
        token: { url: 'https://api.shop.example/token' },
        refresh: { rotates: 'sometimes' },
        scopes: { available: ['read', 'write'], default: ['read'] },
      },
    ],
    [
      flows('clientCredentials'),
      {
        scheme: 'S2S_OAUTH2',
        token: { url: 'https://api.shop.example/token' },
        scopes: { available: ['read', 'write'], default: ['read'] },
      },
    ],
  ] as [Json, Json][]) {
    const { toolkit } = secured({ s: scheme }, [[{ s: ['read'] }]])
    assert.deepEqual(JSON.parse(JSON.stringify(toolkit.auth)), [JSON.parse(JSON.stringify(expected))])
  }
})

test('imported auth: keys required together are fields of one connection', () => {
  const app = { type: 'apiKey', in: 'header', name: 'X-App-Id', description: 'Id of your app.' }
  const [both] = secured({ KEY, app }, [[{ KEY: [], app: [] }]]).toolkit.auth
  assert.deepEqual(both!.apply, { headers: { 'x-api-key': '{generic_api_key}', 'x-app-id': '{X_App_Id}' } })
  assert.deepEqual(
    both!.fields?.connected_account_initiation?.map(({ name, secret, description }) => [
      name,
      secret,
      description,
    ]),
    [['X_App_Id', true, 'Id of your app.']],
  )
  const [one] = secured({ KEY, query: { type: 'apiKey', in: 'query', name: 'x_api_key' } }, [
    [{ KEY: [] }, { query: [] }],
  ]).toolkit.auth
  assert.deepEqual(one!.apply, { headers: { 'x-api-key': '{generic_api_key}' } })
  const [bearer] = secured({ KEY, b: { type: 'http', scheme: 'bearer' } }, [[{ b: [], KEY: [] }]]).toolkit
    .auth
  assert.deepEqual(
    [bearer!.scheme, bearer!.apply],
    ['BEARER_TOKEN', { headers: { authorization: 'Bearer {token}', 'x-api-key': '{X_Api_Key}' } }],
  )
})

test('imported auth: alternative scopes of an operation become clauses', () => {
  const oauth = flows('authorizationCode', {} as never)
  const scopesOf = (security: unknown) =>
    secured({ o: oauth, i: flows('implicit') }, [security]).tools[0]!.scopes?.all_of
  assert.deepEqual(scopesOf([{ o: ['a', 'b'] }]), ['a', 'b'])
  assert.deepEqual(scopesOf([{ o: ['a'] }, { o: ['b'] }]), [{ any_of: ['a', 'b'] }])
  assert.deepEqual(scopesOf([{ o: ['x', 'a'] }, { o: ['x', 'b', 'c'] }]), [
    'x',
    { any_of: ['a', 'b'] },
    { any_of: ['a', 'c'] },
  ])
  assert.deepEqual(scopesOf([{ o: ['a'] }, { o: ['a', 'b'] }]), ['a'])
  assert.deepEqual(scopesOf([{ o: ['a'], i: ['a'] }]), ['a'])
  assert.equal(scopesOf([{ o: [] }, { o: ['a'] }]), undefined)
  const many = scopesOf(
    Array.from({ length: 9 }, (_, index) => ({ o: [`p${index}`, `q${index}`, `r${index}`] })),
  )
  assert.equal(many?.length, 1)
})

test('imported auth: an operation without security needs no connection', () => {
  const { tools } = secured({ KEY }, [[], [{ KEY: [] }], [{}, { KEY: [] }]])
  assert.deepEqual(
    tools.map(({ no_auth }) => no_auth),
    [true, undefined, undefined],
  )
})

test('imported auth: an unused scheme applies everywhere, and a common header becomes an API key', () => {
  const silent = secured({ KEY }, [undefined])
  assert.deepEqual(
    [silent.toolkit.auth[0]!.scheme, silent.tools[0]!.no_auth, silent.report.notes.length],
    ['API_KEY', undefined, 1],
  )
  assert.deepEqual(secured({}, [undefined]).toolkit.auth, [{ scheme: 'NO_AUTH' }])
  const implied = importedFrom(
    sampleDocument({
      '/a': {
        get: {
          responses: {},
          parameters: [{ name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } }],
        },
      },
    }),
  )
  assert.deepEqual(implied.toolkit.auth[0]!.apply, { headers: { authorization: '{generic_api_key}' } })
})

test('imported auth: an operation with only an unsupported scheme is skipped, the others are imported', () => {
  const { tools, report } = secured(
    { KEY, hmac: { type: 'http', scheme: 'hmac' }, tls: { type: 'mutualTLS' } },
    [[{ hmac: [] }], [{ hmac: [] }, { KEY: [] }], [{ KEY: [], tls: [] }], [{ unknown: [] }]],
  )
  assert.deepEqual(
    [tools.map(({ slug }) => slug), report.refused.map(({ operation, cause }) => [operation, cause])],
    [
      ['SHOP_OP1', 'SHOP_OP3'],
      [
        ['GET /p0', 'unsupported_auth'],
        ['GET /p2', 'unsupported_auth'],
      ],
    ],
  )
})

test('imported auth: an AWS signature is a signing scheme, not an API key', () => {
  const { toolkit } = secured(
    {
      hmac: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        'x-amazon-apigateway-authtype': 'awsSigv4',
      },
    },
    [[{ hmac: [] }]],
    {
      info: { title: 'Queue', version: '1', 'x-serviceName': 'sqs' },
      servers: [
        {
          url: 'https://sqs.{region}.amazonaws.com',
          variables: { region: { default: 'eu-west-1', enum: ['eu-west-1', 'us-east-1'] } },
        },
      ],
    },
  )
  const [scheme] = toolkit.auth
  assert.deepEqual(
    [
      scheme!.apply?.sign?.kind,
      toolkit.base_url,
      scheme!.fields?.connected_account_initiation?.map(({ name }) => name),
    ],
    [
      'aws_sigv4',
      "https://sqs.{region||'eu-west-1'}.amazonaws.com",
      ['access_key_id', 'secret_access_key', 'session_token', 'region'],
    ],
  )
})
