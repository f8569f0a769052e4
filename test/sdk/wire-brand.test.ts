import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuthConfig, listAuthConfigs, readAuthConfig } from '../../src/contract/auth-configs/index.ts'
import {
  createConnectedAccount,
  listConnectedAccounts,
  readConnectedAccount,
} from '../../src/contract/connected-accounts/index.ts'
import { createProject, readProjectConfig, updateProjectConfig } from '../../src/contract/projects/index.ts'
import { API_VERSIONS, type Route } from '../../src/contract/route.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { listToolkits, readToolkit } from '../../src/contract/toolkits/index.ts'
import { BRANDED_NAMES } from '../../src/contract/branded-names.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import { BRAND } from './stock-sdk.ts'

/** Names of the list that a text contains as whole words, in the spelling of the source. */
const neutralIn = (text: string) =>
  [...BRANDED_NAMES.keys, ...BRANDED_NAMES.values, ...BRANDED_NAMES.events].filter((name) =>
    new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?![\\w.])`).test(text),
  )
const custom = (more: object = {}) => ({
  type: 'use_custom_auth' as const,
  authScheme: 'API_KEY',
  credentials: {},
  ...more,
})
const val = { generic_api_key: 'k', server_url: 'http://127.0.0.1:9', application_id: 'a' }

/** Everything that can be read, after one of each was made. */
async function everyReply({ call, as, keys }: TestApp): Promise<string[]> {
  const { body } = await call(createAuthConfig, {
    body: { toolkit: { slug: 'parse' }, auth_config: custom() },
  })
  const account = await call(createConnectedAccount, {
    body: {
      auth_config: { id: body.auth_config.id },
      connection: { user_id: 'ada', state: { authScheme: 'API_KEY', val } },
    },
  })
  const asked: [Route, Record<string, string>?][] = [
    [listToolkits],
    [readToolkit, { slug: 'github' }],
    [listAuthConfigs],
    [readAuthConfig, { nanoid: body.auth_config.id }],
    [listConnectedAccounts],
    [readConnectedAccount, { nanoid: account.body.id }],
    [readProjectConfig],
  ]
  const replies = await Promise.all(
    API_VERSIONS.flatMap((version) =>
      asked.map(([route, params = {}]) =>
        as({ 'x-api-key': keys.projectApiKey }, version)(route, { params }),
      ),
    ),
  )
  assert.deepEqual(
    replies.filter(({ status }) => status !== 200),
    [],
  )
  return [body, ...replies.map((reply) => reply.body)].map((one) => JSON.stringify(one))
}

test('with a brand, every reply and the document carry the branded spelling only', async (t) => {
  const app = await testApp(t, { wireBrand: BRAND })
  const document = (await app.app.http.inject('/openapi.json')).body
  const texts = [...(await everyReply(app)), document]
  assert.deepEqual(texts.flatMap(neutralIn), [])
  const all = texts.join()
  for (const name of [
    'is_composio_managed',
    'composio_managed_auth_schemes',
    'composio_managed_auth',
    'is_composio_link_enabled_for_managed_auth',
  ])
    assert.ok(all.includes(`"${name}"`), name)
  assert.match(document, /"const":"use_composio_managed_auth"|"enum":\["use_composio_managed_auth"/)
  assert.match(document, /"enum":\["composio","all","project"\]/)
  assert.doesNotMatch(document, /"service"/)
})

test('without a brand, no other word than the neutral one is anywhere', async (t) => {
  const app = await testApp(t)
  const document = (await app.app.http.inject('/openapi.json')).body
  const texts = [...(await everyReply(app)), document]
  assert.ok(neutralIn(texts.join()).length >= 5)
  assert.doesNotMatch(texts.join(), new RegExp(BRAND, 'i'))
  const reply = await app.app.http.inject({
    url: '/api/v3/auth_configs?is_composio_managed=maybe',
    headers: { 'x-api-key': app.keys.projectApiKey },
  })
  assert.equal(reply.statusCode, 200)
})

test('requests are understood in either spelling: queries, enum values, fields of bodies, also nested', async (t) => {
  const { app, call, org, keys } = await testApp(t, { wireBrand: BRAND })
  const { body } = await call(createAuthConfig, {
    body: { toolkit: { slug: 'parse' }, auth_config: custom() },
  })
  const get = async (path: string) =>
    (await app.http.inject({ url: `/api/v3/${path}`, headers: { 'x-api-key': keys.projectApiKey } })).json<{
      items: { id: string; slug: string }[]
    }>().items
  for (const word of ['service', BRAND]) {
    assert.deepEqual(await get(`auth_configs?is_${word}_managed=true`), [])
    assert.deepEqual(
      (await get(`auth_configs?is_${word}_managed=false`)).map(({ id }) => id),
      [body.auth_config.id],
    )
    assert.deepEqual(await get(`toolkits?managed_by=${word}&limit=1000`), await get('toolkits?limit=1000'))
    const managed = await call(createAuthConfig, {
      body: { toolkit: { slug: 'github' }, auth_config: { type: `use_${word}_managed_auth` } } as never,
    })
    assert.equal(managed.body.error.slug, 'Auth_Config_DefaultAuthConfigNotFound')
    for (const enabled of [false, true]) {
      const name = `is_${word}_link_enabled_for_managed_auth`
      const changed = await call(updateProjectConfig, { body: { [name]: enabled } })
      assert.equal(
        (changed.body as unknown as Record<string, unknown>)['is_composio_link_enabled_for_managed_auth'],
        enabled,
      )
    }
    const config = {
      is_2FA_enabled: true,
      mask_secret_keys_in_connected_account: true,
      log_visibility_setting: 'show_all',
      [`is_${word}_link_enabled_for_managed_auth`]: 'no',
    }
    const refused = await org(createProject, { body: { name: `with_${word}`, config } as never })
    assert.deepEqual(
      [refused.status, refused.body.error.errors],
      [400, ['Error in payload.config.is_composio_link_enabled_for_managed_auth: must be boolean']],
    )
  }
  assert.deepEqual(
    (await get('auth_configs?is_service_managed=false&is_composio_managed=true')).map(({ id }) => id),
    [body.auth_config.id],
  )
})

test('errors name fields in the spelling of the wire', async (t) => {
  const { app, keys } = await testApp(t, { wireBrand: BRAND })
  const faultsOf = async (path: string) =>
    (await app.http.inject({ url: `/api/v3/${path}`, headers: { 'x-api-key': keys.projectApiKey } })).json<{
      error: { errors: string[] }
    }>().error.errors
  assert.deepEqual(await faultsOf('auth_configs?is_composio_managed=maybe'), [
    'Error in query.is_composio_managed: must be boolean',
  ])
  assert.deepEqual(await faultsOf('toolkits?managed_by=nobody'), [
    'Error in query.managed_by: must be one of composio, all, project',
  ])
})

test('names, shared credentials, connection data and arguments of the user are never renamed', async (t) => {
  const { call } = await testApp(t, { wireBrand: BRAND })
  const words = {
    is_composio_managed: 'use_composio_managed_auth',
    is_service_managed: 'use_service_managed_auth',
    service: 'composio',
    composio: 'service',
  }
  for (const name of ['use_service_managed_auth', 'use_composio_managed_auth', 'service', 'composio']) {
    const { body } = await call(createAuthConfig, {
      body: { toolkit: { slug: 'parse' }, auth_config: custom({ name, shared_credentials: words }) },
    })
    const read = await call(readAuthConfig, { params: { nanoid: body.auth_config.id } })
    assert.equal(read.body.name, name)
    assert.deepEqual(Object.keys(read.body.shared_credentials).sort(), Object.keys(words).sort())
    const account = await call(createConnectedAccount, {
      body: {
        auth_config: { id: body.auth_config.id },
        connection: { user_id: name, state: { authScheme: 'API_KEY', val: { ...val, ...words } } },
      },
    })
    assert.deepEqual(
      Object.keys(words).filter((key) => !(key in account.body.connectionData.val)),
      [],
    )
    assert.equal(
      (await call(readConnectedAccount, { params: { nanoid: account.body.id } })).body.user_id,
      name,
    )
  }
  const echoed = await call(executeTool, {
    params: { tool_slug: 'UTILITIES_QUERY_JSON' },
    body: { arguments: { data: words, expression: '@' } },
  })
  assert.deepEqual([echoed.status, echoed.body.error, echoed.body.data], [200, null, { result: words }])
})
