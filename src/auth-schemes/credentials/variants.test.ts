import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources, findCompiledScheme, UnsafeValue } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { credentialLookup, type Credentials, type CredentialSources } from '../index.ts'

const VALUES = { us: { api_host: 'us.example' }, eu: { api_host: 'eu.example' } }
const manifest = (more: Credentials = {}) => ({
  scheme: 'API_KEY',
  apply: { headers: { 'x-key': '{generic_api_key}' } },
  variants: [{ by: 'region', default: 'us', values: VALUES }],
  ...more,
})
const inAuthConfig = {
  fields: { auth_config_creation: [{ name: 'region', display_name: 'Region', description: 'x' }] },
}

function hostFor(sources: Partial<CredentialSources>, more?: Credentials, extra?: Credentials): unknown {
  const catalog = catalogFromSources([
    sampleSource({ base_url: 'https://{api_host}', auth: [manifest(more)] }, [sampleTool()]),
  ])
  const scheme = findCompiledScheme(catalog.toolkit('shop')!, 'API_KEY')!
  return credentialLookup(
    { scheme, credentials: {}, sharedCredentials: {}, authConfigCredentials: {}, ...sources },
    extra,
  )('api_host')
}

test('variants: the choice of the user comes first, then the shared one, then the default', () => {
  assert.deepEqual(
    [
      hostFor({}),
      hostFor({ credentials: { region: 'eu' } }),
      hostFor({ sharedCredentials: { region: 'eu' } }),
      hostFor({ credentials: { region: 'us' }, sharedCredentials: { region: 'eu' } }),
    ],
    ['us.example', 'eu.example', 'eu.example', 'us.example'],
  )
})

test('variants: a user cannot override the choice of the auth config', () => {
  assert.deepEqual(
    [
      hostFor({ authConfigCredentials: { region: 'eu' } }, inAuthConfig),
      hostFor({ authConfigCredentials: { region: 'eu' }, credentials: { region: 'us' } }, inAuthConfig),
      hostFor({ credentials: { region: 'eu' } }, inAuthConfig),
    ],
    ['eu.example', 'eu.example', 'us.example'],
  )
})

test('variants: only the manifest defines their values, not stored credentials of the same name', () => {
  const malicious = { api_host: 'malicious.example' }
  assert.equal(
    hostFor(
      {
        credentials: { ...malicious, region: 'eu' },
        sharedCredentials: malicious,
        authConfigCredentials: malicious,
      },
      undefined,
      malicious,
    ),
    'eu.example',
  )
})

test('variants: an unknown choice is rejected with the list of valid choices, prototype names included', () => {
  for (const region of ['mars', '__proto__', 'constructor', 'US', ' us', 7, true, ['us', 'eu'], { us: 1 }]) {
    assert.throws(
      () => hostFor({ credentials: { region } }),
      (error: Error) =>
        error instanceof UnsafeValue && error.message === 'The value of `region` must be one of us, eu.',
      String(region),
    )
  }
  for (const region of ['', null, undefined]) assert.equal(hostFor({ credentials: { region } }), 'us.example')
})
