import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type ConnectedAccountsApp, statusChangeDeps } from '#fixtures/connected-accounts.ts'
import { moveAccount } from '../../src/features/connected-accounts/state-machine.ts'
import { type Call, requestsOf, type Send, startSampleApp } from './sample-app.ts'

interface Stage {
  s: ConnectedAccountsApp
  send: Send
  call: Call
}

test('requirements: fields of the specification have the value that is true, not a constant', async (t) => {
  const s = await startSampleApp(t)
  const stage: Stage = { s, ...requestsOf(s) }

  await t.test('toolkits: enabled is false while a policy denies every call of the toolkit', () =>
    checkEnabled(stage),
  )
  await t.test('toolkits: rawProxyInfoByAuthSchemes has the base URL of each scheme', () =>
    checkProxyInfo(stage),
  )
  await t.test('trigger types: available_versions are the versions of the toolkit, as for tools', () =>
    checkTriggerVersions(stage),
  )
  await t.test(
    'auth configs: member_uuid is the same for all auth configs of a creator, and differs by creator',
    () => checkCreator(stage),
  )
  await t.test('auth configs: default_connector_id is the newest enabled auth config of the toolkit', () =>
    checkDefaultConnector(stage),
  )
  await t.test(
    'auth configs: credentials hold any JSON, and fields of the scheme take text, numbers and lists',
    () => checkFreeFormCredentials(stage),
  )
  await t.test(
    'execute: session_info names the account and the end of its credentials, and is null for keys',
    () => checkSessionInfo(stage),
  )
  await t.test('connected accounts: expired_at is when the account became EXPIRED, and absent before', () =>
    checkExpiredAt(stage),
  )
  await t.test('projects: triggers_enabled is changed as a setting, and both reads have it', () =>
    checkTriggersEnabled(stage),
  )
  await t.test(
    'projects: the lifetime of file URLs is any number of seconds, and URLs end after seven days',
    () => checkFileUrls(stage),
  )
  await t.test('failures: those of a deletion and of a trigger have the seven fields of the envelope', () =>
    checkFailures(stage),
  )
})

async function checkEnabled({ call }: Stage): Promise<void> {
  const isEnabled = async () => (await call('GET', '/toolkits/shop')).enabled
  assert.equal(await isEnabled(), true)
  const { id } = await call('POST', '/policies', {
    name: 'No shop',
    outcome: 'deny',
    when: { toolkits: ['SHOP'] },
  })
  assert.equal(await isEnabled(), false)
  for (const when of [{ toolkits: ['other'] }, { toolkits: ['shop'], user_ids: ['u1'] }]) {
    await call('PATCH', `/policies/${id}`, { when })
    assert.equal(await isEnabled(), true, JSON.stringify(when))
  }
  await call('PATCH', `/policies/${id}`, { when: {} })
  assert.equal(await isEnabled(), false, 'a policy for every call')
  await call('DELETE', `/policies/${id}`)
}

async function checkProxyInfo({ call }: Stage): Promise<void> {
  const toolkit = await call('GET', '/toolkits/shop')
  assert.deepEqual(
    toolkit.deprecated.rawProxyInfoByAuthSchemes,
    toolkit.auth_config_details.map(({ mode, proxy }: { mode: string; proxy: object }) => ({
      auth_mode: mode,
      proxy,
    })),
  )
  assert.match(toolkit.deprecated.rawProxyInfoByAuthSchemes[0].proxy.base_url, /^http/)
}

async function checkTriggerVersions({ call }: Stage): Promise<void> {
  const type = await call('GET', '/triggers_types/SHOP_NEW_ORDER')
  const tool = await call('GET', '/tools/SHOP_GET_ORDER')
  assert.deepEqual(type.available_versions, tool.available_versions)
  assert.ok(type.available_versions.includes(type.version))
}

const readConfig = async ({ call }: Stage, id: string) => call('GET', `/auth_configs/${id}`)

async function checkCreator(stage: Stage): Promise<void> {
  const { s, call } = stage
  const [first, second] = [await s.addAuthConfig('API_KEY'), await s.addAuthConfig('API_KEY')]
  const project = `/org/owner/project/${s.keys.projectId}`
  const organization = { headers: { 'x-org-api-key': s.keys.organizationApiKey } }
  const { key } = await call('POST', `${project}/api_keys`, { name: 'second' }, organization)
  const other = await call(
    'POST',
    '/auth_configs',
    { toolkit: { slug: 'shop' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' } },
    { headers: { 'x-api-key': key } },
  )
  const uuids = await Promise.all(
    [first, second, other.auth_config.id].map(
      async (id) => (await readConfig(stage, id)).deprecated_params.member_uuid,
    ),
  )
  assert.match(uuids[0], /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.deepEqual([uuids[0] === uuids[1], uuids[0] === uuids[2]], [true, false])
}

async function checkDefaultConnector(stage: Stage): Promise<void> {
  const [older, newer] = [await stage.s.addAuthConfig('API_KEY'), await stage.s.addAuthConfig('API_KEY')]
  const defaultOf = async (id: string) => (await readConfig(stage, id)).deprecated_params.default_connector_id
  const uuidOf = async (id: string) => (await readConfig(stage, id)).uuid
  assert.deepEqual(
    [await defaultOf(older), await defaultOf(newer)],
    [await uuidOf(newer), await uuidOf(newer)],
  )
  await stage.call('PATCH', `/auth_configs/${newer}/DISABLED`)
  assert.equal(await defaultOf(older), await uuidOf(older))
}

async function checkFreeFormCredentials(stage: Stage): Promise<void> {
  const create = (credentials: object) =>
    stage.send('POST', '/auth_configs', {
      toolkit: { slug: 'shop' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'OAUTH2',
        credentials: { client_id: 'client-1', client_secret: 'secret-1', ...credentials },
      },
    })
  const { status, body } = await create({ notes: { owner: { name: 'Ada Lovelace' } }, tags: [{ a: 1 }] })
  assert.equal(status, 201)
  const { id } = body.auth_config
  const masked = (await readConfig(stage, id)).credentials
  assert.deepEqual(
    [masked.client_id, masked.notes, masked.tags],
    ['client-1', { owner: { name: 'Ada ...' } }, '[{"a...'],
  )
  const change = { type: 'custom', credentials: { notes: { owner: masked.notes.owner, team: 'x1' } } }
  await stage.call('PATCH', `/auth_configs/${id}`, change)
  const changed = (await readConfig(stage, id)).credentials.notes
  assert.deepEqual(changed, { owner: { name: 'Ada ...' }, team: '...' }, 'a mask does not replace the value')
  const wrong = await create({ client_id: { nested: 'x' } })
  assert.deepEqual(
    [wrong.status, wrong.body.error.errors],
    [
      400,
      [
        'Error in payload.auth_config.credentials.client_id: Client id must be text, a number, a boolean or a ' +
          'list of text',
      ],
    ],
  )
}

async function checkSessionInfo({ s, call }: Stage): Promise<void> {
  const execute = (userId: string) =>
    call('POST', '/tools/execute/SHOP_GET_ORDER', { user_id: userId, arguments: { id: '7' } })
  const keyConfig = await s.addAuthConfig('API_KEY')
  await s.addAccount(keyConfig, 'API_KEY', { generic_api_key: 'k' }, { user_id: 'key-user' })
  assert.equal((await execute('key-user')).session_info, null)
  const config = await s.addAuthConfig('OAUTH2', { client_id: 'client-1', client_secret: 'secret-1' })
  const token = { access_token: 'token-1', expires_in: 3_600, status: 'ACTIVE' }
  const before = s.clock.now()
  const id = await s.addAccount(config, 'OAUTH2', token, { user_id: 'oauth-user' })
  const { session_id: account, expires_at: end } = (await execute('oauth-user')).session_info
  const [from, to] = [before, s.clock.now()].map((time) => time + 3_600_000) as [number, number]
  assert.equal(account, id)
  assert.ok(Date.parse(end) >= from && Date.parse(end) <= to, end)
}

async function checkExpiredAt({ s, call }: Stage): Promise<void> {
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'k' })
  const read = async () => (await call('GET', `/connected_accounts/${id}`)).state.val.expired_at
  assert.equal(await read(), undefined)
  const reason = { status_reason: 'The grant ended.' }
  const { projectId } = s.keys
  await s.app.db.begin((tx) => moveAccount(statusChangeDeps(s), tx, projectId, id, 'expire', reason))
  const [change] = (await call('GET', `/connected_accounts/${id}/history`)).items
  assert.deepEqual([change.to, await read()], ['EXPIRED', change.at])
  await call('PATCH', `/connected_accounts/${id}`, { alias: 'renamed' })
  assert.equal(await read(), change.at, 'later changes do not move it')
}

async function checkTriggersEnabled({ s, call }: Stage): Promise<void> {
  const project = () =>
    call('GET', `/org/owner/project/${s.keys.projectId}`, undefined, {
      headers: { 'x-org-api-key': s.keys.organizationApiKey },
    })
  for (const enabled of [false, true]) {
    const changed = await call('PATCH', '/org/project/config', { triggers_enabled: enabled })
    const read = await call('GET', '/org/project/config')
    assert.deepEqual(
      [changed.triggers_enabled, read.triggers_enabled, (await project()).triggers_enabled],
      [enabled, enabled, enabled],
    )
  }
}

async function checkFileUrls(stage: Stage): Promise<void> {
  const { s, send, call } = stage
  const set = (seconds: number) =>
    send('PATCH', '/org/project/config', { signed_url_file_expiry_in_seconds: seconds })
  const put = async (name: string) => {
    const { new_presigned_url: url } = await call('POST', '/files/upload/request', {
      toolkit_slug: 'shop',
      tool_slug: 'SHOP_GET_ORDER',
      filename: `${name}.txt`,
      mimetype: 'text/plain',
      md5: createHash('md5').update(name).digest('hex'),
    })
    const { pathname, search } = new URL(url)
    return async () =>
      (
        await s.app.http.inject({
          method: 'PUT',
          url: pathname + search,
          headers: { 'content-type': 'text/plain' },
          payload: name,
        })
      ).statusCode
  }
  for (const seconds of [0, -1]) assert.equal((await set(seconds)).status, 400, String(seconds))
  assert.equal((await set(1.5)).body.signed_url_file_expiry_in_seconds, 1.5)
  const short = await put('short')
  s.clock.advance(3_000)
  assert.equal(await short(), 403)
  assert.equal((await set(10_000_000)).body.signed_url_file_expiry_in_seconds, 10_000_000)
  const [early, late] = [await put('early'), await put('late')]
  s.clock.advance(604_799_000)
  assert.equal(await early(), 200)
  s.clock.advance(2_000)
  assert.equal(await late(), 403)
}

async function checkFailures({ send }: Stage): Promise<void> {
  for (const [method, path] of [
    ['DELETE', '/connected_accounts/ca_000000000000'],
    ['POST', '/trigger_instances/SHOP_NEW_ORDER/upsert'],
    ['POST', '/trigger_instances/SHOP_NO_SUCH_TYPE/upsert'],
  ] as const) {
    const { status, body } = await send(method, path, method === 'POST' ? {} : undefined)
    assert.ok(status >= 400, path)
    assert.deepEqual(
      Object.keys(body.error).sort(),
      ['code', 'errors', 'message', 'request_id', 'slug', 'status', 'suggested_fix'],
      path,
    )
    assert.equal(body.error.status, status)
  }
}
