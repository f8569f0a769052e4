import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemeFieldGroups } from './auth-fields.ts'
import { catalogFromSources } from '../../load/load.ts'
import type { AuthSchemeManifest } from '../../format/index.ts'
import { findCompiledScheme, findScheme } from './schemes.ts'
import { SAMPLE_OAUTH, sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'

const names = (scheme: unknown) => {
  const { auth_config_creation: config, connected_account_initiation: account } = schemeFieldGroups(
    scheme as AuthSchemeManifest,
  )
  return [config.required, config.optional, account.required, account.optional].map((group) =>
    group.map(({ name }) => name),
  )
}

test('auth fields: each scheme declares its fields', () => {
  assert.deepEqual(names(SAMPLE_OAUTH), [
    ['client_id', 'client_secret'],
    ['oauth_redirect_uri', 'scopes'],
    [],
    [],
  ])
  assert.deepEqual(
    names({ ...SAMPLE_OAUTH, client_auth: 'none', authorize: { url: 'x', user_scope_param: 'user_scope' } }),
    [['client_id'], ['client_secret', 'oauth_redirect_uri', 'scopes', 'user_scopes'], [], []],
  )
  assert.deepEqual(names({ scheme: 'API_KEY' }), [[], [], ['generic_api_key'], []])
  assert.deepEqual(names({ scheme: 'BASIC' }), [[], [], ['username'], ['password']])
  assert.deepEqual(names({ scheme: 'BEARER_TOKEN' }), [[], [], ['token'], []])
  assert.deepEqual(names({ scheme: 'NO_AUTH' }), [[], [], [], []])
})

test('auth fields: manifest fields follow, replace and remove fields of the scheme', () => {
  const fields = {
    auth_config_creation: [{ name: 'developer_token', display_name: 'D', description: 'x', required: false }],
    connected_account_initiation: [{ name: 'password', display_name: 'Secret phrase', description: 'x' }],
    omit: ['username'],
  }
  assert.deepEqual(names({ scheme: 'BASIC', fields }), [[], ['developer_token'], ['password'], []])
  assert.deepEqual(
    names({
      scheme: 'API_KEY',
      fields: { auth_config_creation: [{ name: 'generic_api_key', display_name: 'Key', description: 'x' }] },
    }),
    [['generic_api_key'], [], [], []],
    'asked once, where the manifest says',
  )
})

test('auth fields: a descriptor has every key of the API, and the default scopes of the toolkit', () => {
  const { auth_config_creation: config } = schemeFieldGroups({
    ...SAMPLE_OAUTH,
    scopes: { default: ['read', 'write'] },
  } as unknown as AuthSchemeManifest)
  assert.deepEqual(config.optional[1], {
    name: 'scopes',
    displayName: 'Scopes',
    type: 'string',
    description: 'Scopes to request, separated by commas.',
    required: false,
    default: 'read,write',
    is_secret: false,
  })
  assert.equal(config.required[1]!.is_secret, true)
  const shop = catalogFromSources([sampleSource()]).toolkit('shop')!
  assert.equal(
    schemeFieldGroups(findScheme(shop, 'api_key')!).connected_account_initiation.required[1]!
      .legacy_template_name,
    'shop',
  )
})

test('auth fields: an OAUTH2 toolkit also accepts a bearer token and asks for the captured values', () => {
  const apply = { headers: { 'X-Token': 'T {access_token}' } }
  const shop = catalogFromSources([
    sampleSource({ auth: [{ ...SAMPLE_OAUTH, apply }] }, [sampleTool()]),
  ]).toolkit('shop')!
  assert.deepEqual(
    shop.schemes.map(({ mode, implicit }) => [mode, implicit]),
    [
      ['OAUTH2', false],
      ['BEARER_TOKEN', true],
    ],
  )
  const bearer = findCompiledScheme(shop, 'Bearer_Token')!
  assert.deepEqual(
    bearer.headers.map(({ name, value }) => [name, value.source]),
    [['x-token', 'T {token}']],
  )
  assert.equal(bearer.baseUrl!.source, '{instance_url}/api')
  assert.deepEqual(names(bearer.manifest), [[], [], ['token', 'instance_url'], []])
})

test('auth fields: a declared bearer scheme is used as declared, and other toolkits have none', () => {
  const auth = [
    { ...SAMPLE_OAUTH, base_url: 'https://x.example' },
    { scheme: 'BEARER_TOKEN', name: 'Personal token', base_url: 'https://y.example' },
  ]
  const shop = catalogFromSources([sampleSource({ auth })]).toolkit('shop')!
  assert.deepEqual([shop.schemes.length, findScheme(shop, 'BEARER_TOKEN')!.name], [2, 'Personal token'])
  assert.equal(findScheme(catalogFromSources([sampleSource()]).toolkit('shop')!, 'BEARER_TOKEN'), undefined)
  assert.equal(findScheme(shop, 'constructor'), undefined)
})

test('auth fields: credentials have the default position of the scheme', () => {
  const scheme = (auth: unknown) =>
    catalogFromSources([sampleSource({ auth: [auth], base_url: 'https://x.example' })]).toolkit('shop')!
      .schemes[0]!
  assert.deepEqual(
    scheme({ scheme: 'BEARER_TOKEN' }).headers.map(({ name, value }) => [name, value.source]),
    [['authorization', 'Bearer {token}']],
  )
  assert.equal(scheme({ scheme: 'BASIC' }).basic!.username.source, '{username}')
  assert.equal(scheme({ scheme: 'NO_AUTH' }).headers.length, 0)
})
