import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { ManagedAuthCredentials } from '../../platform/config.ts'
import { createManagedAuth } from './managed-auth.ts'

const OAUTH = {
  scheme: 'OAUTH2',
  authorize: { url: 'https://a.example/authorize' },
  token: { url: 'https://a.example/token' },
  refresh: { with: 'client' },
}
const WEBHOOK = {
  source: 'webhook',
  webhook: {
    code: 'code',
    match: 'id',
    match_param: 'id',
    signature: { header: 'x-s', algorithm: 'sha256', key: '{client_secret}' },
  },
}

function started(auth: object): string {
  const catalog = catalogFromSources([
    sampleSource({ base_url: 'https://api.example', auth: [auth] }, [sampleTool()]),
  ])
  const entry = { toolkit: 'shop', scheme: 'OAUTH2', values: { client_id: 'c', client_secret: 's' } }
  try {
    createManagedAuth(catalog, [new ManagedAuthCredentials('MANAGED_AUTH', [entry])])
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('managed auth: a client is rejected if the project of a consent cannot be verified', () => {
  assert.equal(started(OAUTH), '')
  assert.match(
    started({ ...OAUTH, authorize: { ...OAUTH.authorize, flow: 'admin_consent' } }),
    /shop\.OAUTH2 cannot be shared: an administrator consent/,
  )
  assert.match(
    started({
      ...OAUTH,
      token: { ...OAUTH.token, grant_type: 'client_credentials' },
      callback: { code_param: 'tenant' },
    }),
    /cannot be shared: an administrator consent/,
  )
  assert.match(
    started({ ...OAUTH, callback: WEBHOOK }),
    /cannot be shared: its codes are sent to the webhook URL of one auth config/,
  )
})
