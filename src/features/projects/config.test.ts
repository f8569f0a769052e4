import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { testApp } from '#fixtures/app.ts'
import {
  createProjectKey,
  readProject,
  readProjectConfig,
  updateProjectConfig,
} from '../../contract/projects/index.ts'
import { sql } from '../../platform/db/sql.ts'

const DEFAULTS = {
  is_2FA_enabled: false,
  logo_url: null,
  display_name: null,
  mask_secret_keys_in_connected_account: true,
  log_visibility_setting: 'show_all',
  require_mcp_api_key: true,
  identity_verification_url: null,
  mcp_sign_in_url: null,
  is_service_link_enabled_for_managed_auth: true,
  signed_url_file_expiry_in_seconds: 3600,
  event_retention_days: 30,
  accent_color: null,
  support_url: null,
  privacy_url: null,
  rank_tools_by_use: true,
  v3_parameter_format: null,
  triggers_enabled: true,
}

test('a new project has every setting at its default', async (t) => {
  const { call } = await testApp(t)
  const { status, body } = await call(readProjectConfig)
  assert.deepEqual([status, body], [200, DEFAULTS])
})

test('a change of one setting returns all of them and leaves the others', async (t) => {
  const { call } = await testApp(t)
  const first = await call(updateProjectConfig, { body: { log_visibility_setting: 'dont_store_data' } })
  assert.deepEqual(
    [first.status, first.body],
    [200, { ...DEFAULTS, log_visibility_setting: 'dont_store_data' }],
  )
  const all = {
    mcp_sign_in_url: 'https://app.example.com/mcp',
    identity_verification_url: 'https://app.example.com/verify',
    is_2FA_enabled: false,
    logo_url: 'https://cdn.example.com/l.png',
    display_name: 'Billing',
    mask_secret_keys_in_connected_account: false,
    log_visibility_setting: 'dont_store_data' as const,
    require_mcp_api_key: false,
    is_service_link_enabled_for_managed_auth: false,
    signed_url_file_expiry_in_seconds: 60,
    event_retention_days: 7,
    accent_color: '#0F766E',
    support_url: 'https://example.com/support',
    privacy_url: 'https://example.com/privacy',
    rank_tools_by_use: false,
    v3_parameter_format: 'json_schema' as const,
    triggers_enabled: false,
  }
  await call(updateProjectConfig, { body: { ...all, log_visibility_setting: undefined } as never })
  assert.deepEqual((await call(readProjectConfig)).body, all)
  const { body } = await call(updateProjectConfig, { body: { logo_url: null, display_name: null } })
  assert.deepEqual(body, { ...all, logo_url: null, display_name: null })
})

test('unknown keys are ignored and not kept', async (t) => {
  const { app, keys, call } = await testApp(t)
  const { status, body } = await call(updateProjectConfig, {
    body: { nonsense: 1, display_name: 'Billing' } as never,
  })
  assert.deepEqual([status, body], [200, { ...DEFAULTS, display_name: 'Billing' }])
  assert.deepEqual(await app.db.one(sql`select config from projects where id = ${keys.projectId}`), {
    config: { display_name: 'Billing' },
  })
})

test('an empty change, or one without a body, changes nothing', async (t) => {
  const { keys, call, org } = await testApp(t)
  const before = (await org(readProject, { params: { nano_id: keys.projectId } })).body
  for (const body of [{}, undefined, { nonsense: true } as never]) {
    const reply = await call(updateProjectConfig, { body })
    assert.deepEqual([reply.status, reply.body], [200, DEFAULTS])
  }
  assert.deepEqual((await org(readProject, { params: { nano_id: keys.projectId } })).body, before)
  await call(updateProjectConfig, { body: { display_name: 'Billing' } })
  assert.notEqual(
    (await org(readProject, { params: { nano_id: keys.projectId } })).body.updated_at,
    before.updated_at,
  )
})

test('values out of bounds are rejected with their names, and nothing of the request is kept', async (t) => {
  const { call } = await testApp(t)
  for (const [key, value] of [
    ['signed_url_file_expiry_in_seconds', 0],
    ['signed_url_file_expiry_in_seconds', -60],
    ['signed_url_file_expiry_in_seconds', '60'],
    ['signed_url_file_expiry_in_seconds', null],
    ['log_visibility_setting', 'show_some'],
    ['log_visibility_setting', null],
    ['is_2FA_enabled', 'true'],
    ['is_2FA_enabled', null],
    ['require_mcp_api_key', 1],
    ['logo_url', 'javascript:alert(1)'],
    ['identity_verification_url', 'javascript:alert(1)'],
    ['mcp_sign_in_url', 'javascript:alert(1)'],
    ['logo_url', 'not a url'],
    ['logo_url', ''],
    ['display_name', 'x'.repeat(129)],
  ] as const) {
    const { status, body } = await call(updateProjectConfig, {
      body: { mask_secret_keys_in_connected_account: false, [key]: value } as never,
    })
    assert.deepEqual([status, body.error.code], [400, 10400], `${key} ${value}`)
    assert.ok(
      body.error.errors.every((text) => text.startsWith(`Error in payload.${key}: `)),
      body.error.errors.join(),
    )
  }
  assert.deepEqual((await call(readProjectConfig)).body, DEFAULTS)
  for (const seconds of [1, 60.5, 604_800, 1e9])
    assert.equal(
      (await call(updateProjectConfig, { body: { signed_url_file_expiry_in_seconds: seconds } })).status,
      200,
    )
})

test('changes of different settings at once are all kept', async (t) => {
  const { call } = await testApp(t)
  await Promise.all(
    [
      { display_name: 'Billing' },
      { require_mcp_api_key: false },
      { signed_url_file_expiry_in_seconds: 90 },
      { is_2FA_enabled: false },
    ].map((body) => call(updateProjectConfig, { body })),
  )
  assert.deepEqual((await call(readProjectConfig)).body, {
    ...DEFAULTS,
    display_name: 'Billing',
    require_mcp_api_key: false,
    signed_url_file_expiry_in_seconds: 90,
    is_2FA_enabled: false,
  })
})

test('another project keeps its own settings, and a limited key reaches none', async (t) => {
  const { keys, call, org, as, otherProject } = await testApp(t)
  const theirs = await otherProject()
  await call(updateProjectConfig, { body: { display_name: 'Ours' } })
  assert.deepEqual((await theirs(readProjectConfig)).body, DEFAULTS)
  const {
    body: { key },
  } = await org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { auth_configs: ['read', 'write'] } },
  })
  const limited = await as({ 'x-api-key': key })(updateProjectConfig, { body: { display_name: 'Taken' } })
  assert.deepEqual([limited.status, (await call(readProjectConfig)).body.display_name], [403, 'Ours'])
})

test('attack: a project without require_mcp_api_key is reported in the log', async (t) => {
  const lines: string[] = []
  const { keys, call } = await testApp(t, {
    log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
  })
  await call(updateProjectConfig, { body: { display_name: 'Billing' } })
  assert.deepEqual(lines, [])
  await call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  const reported = lines.map((line) => JSON.parse(line) as { project_id: string; msg: string })
  assert.deepEqual(
    reported.map(({ project_id: id }) => id),
    [keys.projectId],
  )
  assert.match(reported[0]!.msg, /anyone who knows the URL .* calls its tools as any user/)
})
