import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateAuthConfig } from '../../contract/auth-configs/index.ts'
import { refreshConnectedAccount, updateConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { createProjectKey } from '../../contract/projects/index.ts'
import {
  API_KEY,
  CLIENT,
  oauth,
  requestsTo,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const SERVER_URL = { name: 'server_url', display_name: 'URL', description: 'URL of the server.' }

test('PATCH /connected_accounts: a stored key is not sent to another host (attack with a key for masks)', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, fields: { connected_account_initiation: [SERVER_URL] } }],
    toolkit: { base_url: '{server_url}' },
  })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'stored-key-1',
    server_url: `${s.stub.url}/honest`,
  })
  const patch = (val: object) =>
    s.call(updateConnectedAccount, {
      params: { nanoid: id },
      body: { connection: { state: { authScheme: 'API_KEY', val } } } as never,
    })
  const validate = () =>
    s.call(refreshConnectedAccount, { params: { nanoid: id }, body: { validate_credentials: true } as never })
  const evil = { server_url: `${s.stub.url}/evil` }
  for (const val of [
    evil,
    { ...evil, generic_api_key: 'stor...' },
    { ...evil, generic_api_key: 'REDACTED' },
  ]) {
    const { status, body } = await patch(val)
    assert.equal(status, 400)
    assert.match(
      body.error.errors[0] ?? '',
      /^Error in payload\.connection\.state\.val\.generic_api_key: send it again, because server_url changes/,
    )
  }
  await validate()
  assert.deepEqual([requestsTo(s, '/evil/me').length, requestsTo(s, '/honest/me').length], [0, 1])
  assert.equal((await patch({ generic_api_key: 'new-key-123' })).status, 200)
  assert.equal((await patch({ ...evil, generic_api_key: 'evil-key-12' })).status, 200)
  await validate()
  assert.deepEqual(
    requestsTo(s, '/evil/me').map(({ headers }) => headers['x-key']),
    ['evil-key-12'],
  )
})

test('PATCH /auth_configs: another server or proxy needs the secrets again', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: () => [
      {
        ...oauth('https://unused.example'),
        authorize: { url: '{server_url}/authorize' },
        token: { url: '{server_url}/token' },
        fields: { auth_config_creation: [SERVER_URL] },
      },
    ],
  })
  const config = await s.addAuthConfig(
    'OAUTH2',
    { ...CLIENT, server_url: `${s.stub.url}/honest` },
    { proxy_config: { proxy_url: 'https://proxy.example.com', proxy_auth_key: 'proxy-key-1' } },
  )
  const patch = async (change: object, call = s.call) => {
    const body = { type: 'custom', ...change } as never
    const reply = await call(updateAuthConfig, { params: { nanoid: config }, body })
    return [reply.status, reply.body.error?.errors ?? []] as const
  }
  const evil = `${s.stub.url}/evil`
  const again = 'send it again, because server_url changes the server that receives it'
  for (const credentials of [{ server_url: evil }, { server_url: evil, client_secret: 'clie...' }])
    assert.deepEqual(await patch({ credentials }), [
      400,
      [`Error in payload.credentials.client_secret: ${again}`],
    ])
  const proxy_config = { proxy_url: 'https://evil.example.com' }
  assert.match((await patch({ proxy_config }))[1].join(), /client_secret: send it again, because proxy_url/)
  assert.match(
    (await patch({ proxy_config, credentials: { client_secret: 'new-secret-1' } }))[1].join(),
    /proxy_auth_key: send it again, because proxy_url/,
  )
  assert.equal((await patch({ credentials: { server_url: evil, client_secret: 'new-secret-1' } }))[0], 200)
  assert.equal((await patch({ proxy_config: null }))[0], 200)

  await s.connect(config, { user_id: 'u1' })
  const { body } = await s.org(createProjectKey, {
    params: { nano_id: s.keys.projectId },
    body: { permissions: { auth_configs: ['read', 'write'] } },
  })
  const restricted = s.as({ 'x-api-key': body.key })
  const moved = { credentials: { server_url: `${s.stub.url}/other`, client_secret: 'new-secret-2' } }
  const [status, errors] = await patch(moved, restricted)
  assert.equal(status, 400)
  assert.match(
    errors.join(),
    /server_url: the credentials of the connected accounts would be sent to another server/,
  )
  assert.equal((await patch({ name: 'Renamed' }, restricted))[0], 200)
  assert.equal((await patch(moved))[0], 200)
})
