import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemeFieldGroups } from '../../compile/auth/auth-fields.ts'
import { catalogFromSources } from '../../load/load.ts'
import { findCompiledScheme } from '../../compile/auth/schemes.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'

type Parts = Record<string, unknown>
const VALUES = {
  us: { host: 'us.shop.example', site: 'https://us.example' },
  eu: { host: 'eu.shop.example', site: 'https://eu.example' },
}
const scheme = (variants: unknown, more: Parts = {}) => ({
  scheme: 'OAUTH2',
  authorize: { url: '{site}/authorize' },
  token: { url: 'https://{host}/token' },
  refresh: { rotates: 'never' },
  variants,
  ...more,
})
const source = (variants: unknown, more?: Parts) =>
  sampleSource({ base_url: 'https://{host}/api', auth: [scheme(variants, more)] }, [sampleTool()])

function faults(variants: unknown, more?: Parts): string {
  try {
    catalogFromSources([source(variants, more)])
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const one = (change: Parts = {}) => [{ by: 'region', default: 'us', values: VALUES, ...change }]
const asked = (field: Parts = {}, stage = 'connected_account_initiation') => ({
  fields: { [stage]: [{ name: 'region', display_name: 'Place', description: 'Where it is.', ...field }] },
})

test('auth variants: variants that declare the same names are valid, at both times of input', () => {
  for (const more of [{}, asked(), asked({}, 'auth_config_creation'), asked({ required: true })])
    assert.equal(faults(one(), more), '')
  assert.equal(faults(one({ default: undefined })), '')
})

const INVALID_VARIANTS: [unknown, RegExp, Parts?][] = [
  [
    one({ values: { ...VALUES, ap: { host: 'ap.shop.example' } } }),
    /variants\/0\/values\/ap: `site` is missing; the other choices have it/,
  ],
  [one({ default: 'mars' }), /default: must be one of us, eu/],
  [one({ default: 'constructor' }), /default: must be one of us, eu/],
  [one({ values: {} }), /values/],
  [one({ values: { us: {}, eu: {} } }), /values: must have at least one value/],
  [
    one({ values: { us: { ...VALUES.us, host: 'us.example/x' }, eu: VALUES.eu } }),
    /values\/us\/host: does not fit `https:\/\/\{host\}/,
  ],
  [
    one({ values: { us: { ...VALUES.us, site: 'us.example' }, eu: VALUES.eu } }),
    /values\/us\/site: does not fit `\{site\}\/authorize`/,
  ],
  [
    one({ values: { us: { ...VALUES.us, site: 'https://u@us.example' }, eu: VALUES.eu } }),
    /values\/us\/site: does not fit/,
  ],
  [
    one({ values: { us: { ...VALUES.us, host: '{client_id}' }, eu: VALUES.eu } }),
    /values\/us\/host: must be a non-empty text without placeholders/,
  ],
  [
    one({ values: { us: { ...VALUES.us, client_secret: 'x' }, eu: { ...VALUES.eu, client_secret: 'y' } } }),
    /`client_secret` is already the name of another value/,
  ],
  [
    one({ values: { us: { ...VALUES.us, code: 'x' }, eu: { ...VALUES.eu, code: 'y' } } }),
    /`code` is already the name of another value/,
  ],
  [
    one({ values: { us: { ...VALUES.us, region: 'x' }, eu: { ...VALUES.eu, region: 'y' } } }),
    /`region` is already the name of another value/,
  ],
  [one({ values: { 'u\ns': VALUES.us, eu: VALUES.eu }, default: 'eu' }), /must be a short text/],
  [[...one(), ...one()], /`region` selects two variants/],
  [one({ by: 'client_id' }), /`client_id` is a field of OAUTH2/],
  [one({ by: 'access_token' }), /`access_token` is a field of OAUTH2/],
  [one({ by: '__proto__' }), /must match|by/],
  [one(), /enum: is not allowed/, asked({ enum: ['us'] })],
  [one(), /secret: is not allowed/, asked({ secret: true })],
  [one(), /type: is not allowed/, asked({ type: 'number' })],
  [
    one(),
    /is a field of the auth config and of the connection/,
    {
      fields: {
        connected_account_initiation: [{ name: 'region', display_name: 'R', description: 'x' }],
        auth_config_creation: [{ name: 'region', display_name: 'R', description: 'x' }],
      },
    },
  ],
  [one({ default: undefined }), /can be empty/, asked({ required: false })],
  [one({ names: 1 }), /unknown key `names`/],
  ['us', /variants: must be array/],
]

test('auth variants: invalid variants are reported with their place', () => {
  for (const [variants, pattern, more] of INVALID_VARIANTS) assert.match(faults(variants, more), pattern)
})

test('auth variants: the selecting field lists its values, with the texts of the manifest', () => {
  const fieldIn = (variants: unknown, more?: Parts) => {
    const { auth_config_creation: config, connected_account_initiation: account } = schemeFieldGroups(
      findCompiledScheme(catalogFromSources([source(variants, more)]).toolkit('shop')!, 'OAUTH2')!.manifest,
    )
    const of = (group: typeof config) =>
      [...group.required, ...group.optional]
        .filter(({ name }) => name === 'region')
        .map(({ displayName, enum: list, required, default: preset }) => [
          displayName,
          list,
          required,
          preset,
        ])
    return [of(config), of(account)]
  }
  assert.deepEqual(fieldIn(one()), [[], [['Region', ['us', 'eu'], false, 'us']]])
  assert.deepEqual(fieldIn(one({ default: undefined })), [[], [['Region', ['us', 'eu'], true, null]]])
  assert.deepEqual(fieldIn(one(), asked({}, 'auth_config_creation')), [
    [['Place', ['us', 'eu'], false, 'us']],
    [],
  ])
})

test('auth variants: a supplied token applies to the selected variant and needs only its relevant fields', () => {
  const bearer = (variants: unknown, more?: Parts) =>
    findCompiledScheme(catalogFromSources([source(variants, more)]).toolkit('shop')!, 'BEARER_TOKEN')!
      .manifest
  const names = (manifest: Parameters<typeof schemeFieldGroups>[0]) => {
    const { required, optional } = schemeFieldGroups(manifest).connected_account_initiation
    return [...required, ...optional].map(({ name }) => name).sort()
  }
  assert.deepEqual([bearer(one()).variants?.length, names(bearer(one()))], [1, ['region', 'token']])
  const login = [
    ...one(),
    {
      by: 'login',
      default: 'a',
      values: { a: { page: 'https://a.example' }, b: { page: 'https://b.example' } },
    },
  ]
  assert.deepEqual(
    [bearer(login).variants?.map(({ by }) => by), names(bearer(login))],
    [['region'], ['region', 'token']],
  )
})
