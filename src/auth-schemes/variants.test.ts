import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFrom, compiledSchemeOf, UnsafeValue } from '../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { lookupOf, type Values } from './index.ts'

const VALUES = { us: { api_host: 'us.example' }, eu: { api_host: 'eu.example' } }
const manifest = (more: Values = {}) => ({
  scheme: 'API_KEY',
  apply: { headers: { 'x-key': '{generic_api_key}' } },
  variants: [{ by: 'region', default: 'us', values: VALUES }],
  ...more,
})
const ofDeveloper = {
  fields: { auth_config_creation: [{ name: 'region', display_name: 'Region', description: 'x' }] },
}

function hostFor(
  sources: { val?: Values; shared?: Values; credentials?: Values },
  more?: Values,
  extra?: Values,
): unknown {
  const catalog = catalogFrom([
    sampleSource({ base_url: 'https://{api_host}', auth: [manifest(more)] }, [sampleTool()]),
  ])
  const scheme = compiledSchemeOf(catalog.toolkit('shop')!, 'API_KEY')!
  return lookupOf({ scheme, val: {}, shared: {}, credentials: {}, ...sources }, extra)('api_host')
}

test('the choice is that of the user, then the shared one, then the default', () => {
  assert.deepEqual(
    [
      hostFor({}),
      hostFor({ val: { region: 'eu' } }),
      hostFor({ shared: { region: 'eu' } }),
      hostFor({ val: { region: 'us' }, shared: { region: 'eu' } }),
    ],
    ['us.example', 'eu.example', 'eu.example', 'us.example'],
  )
})

test("a choice of the developer is not the user's to change", () => {
  assert.deepEqual(
    [
      hostFor({ credentials: { region: 'eu' } }, ofDeveloper),
      hostFor({ credentials: { region: 'eu' }, val: { region: 'us' } }, ofDeveloper),
      hostFor({ val: { region: 'eu' } }, ofDeveloper),
    ],
    ['eu.example', 'eu.example', 'us.example'],
  )
})

test('what a choice brings comes from the manifest alone, whoever stored a value of that name', () => {
  const evil = { api_host: 'evil.example' }
  assert.equal(
    hostFor({ val: { ...evil, region: 'eu' }, shared: evil, credentials: evil }, undefined, evil),
    'eu.example',
  )
})

test('a choice that the manifest does not know is told with those that it knows, names of prototypes included', () => {
  for (const region of ['mars', '__proto__', 'constructor', 'US', ' us', 7, true, ['us', 'eu'], { us: 1 }]) {
    assert.throws(
      () => hostFor({ val: { region } }),
      (error: Error) =>
        error instanceof UnsafeValue && error.message === 'The value of `region` must be one of us, eu.',
      String(region),
    )
  }
  for (const region of ['', null, undefined]) assert.equal(hostFor({ val: { region } }), 'us.example')
})
