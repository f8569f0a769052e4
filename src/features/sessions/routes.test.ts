import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnectedAccountStatus } from '../../contract/connected-accounts/index.ts'
import { startSessions, type Sessions, sessions, type Body } from '#fixtures/sessions.ts'

test('sessions: configuration over HTTP', async (t) => {
  const fixture = await startSessions(t)
  await t.test('sessions: the response contains the whole configuration with its defaults', () =>
    checkResponse(fixture),
  )

  await t.test('sessions: invalid fields are rejected by name, all at once', () =>
    checkInvalidFields(fixture),
  )
})

async function checkResponse({ open, mail, first, second, newer, call }: Sessions): Promise<void> {
  await checkDefaults({ open })
  await checkWholeConfiguration({ mail, first, second, open, newer, call })
}

async function checkDefaults({ open }: Pick<Sessions, 'open'>): Promise<void> {
  const least = await open({})
  const {
    session_id: made,
    mcp,
    config: settings,
    config_version: version,
    warnings,
    experimental,
  } = least.body
  assert.deepEqual(
    [least.status, /^trs_\w{12}$/.test(made), mcp, version, warnings],
    [201, true, { type: 'http', url: `http://localhost:3900/tool_router/${made}/mcp` }, 1, []],
  )
  assert.deepEqual(settings, {
    user_id: 'u1',
    auth_configs: {},
    connected_accounts: {},
    tools: {},
    manage_connections: {
      enabled: true,
      enable_wait_for_connections: false,
      enable_connection_removal: true,
    },
    workbench: {
      enable: true,
      proxy_execution_enabled: true,
      auto_offload_threshold: 20_000,
      sandbox_size: 'standard',
    },
    multi_account: { enable: false, max_accounts_per_toolkit: 5, require_explicit_selection: false },
    preload: { tools: [] },
    search: { enable: true },
    execute: { enable_multi_execute: true },
  })
  assert.match(experimental?.assistive_prompt ?? '', /Today is \d{4}-\d\d-\d\d \(UTC\)/)
}

type Ids = Pick<Sessions, 'mail' | 'first' | 'second'>

/** A session with every field. */
function wholeConfiguration({ mail, first, second }: Ids) {
  return {
    toolkits: { enable: ['SHOP', 'mail'] },
    auth_configs: { Mail: mail },
    connected_accounts: { shop: [first, second] },
    hooks: [{ type: 'before_execute', name: 'look', handler: { type: 'webhook' } }],
    manage_connections: {
      enable: true,
      callback_url: 'https://shop.example/done',
      enable_connection_removal: false,
    },
    tools: {
      shop: { enable: ['shop_get_order'] },
      mail: { tags: { enable: ['readOnlyHint'], disable: ['destructiveHint'] } },
    },
    tags: ['readOnlyHint'],
    workbench: {
      enable: false,
      enable_proxy_execution: false,
      auto_offload_threshold: 15_000,
      sandbox_size: 'medium',
    },
    multi_account: { enable: true, max_accounts_per_toolkit: 3, require_explicit_selection: true },
    preload: { tools: ['SHOP_GET_ORDER'] },
    search: { enable: false },
    execute: { enable_multi_execute: false },
    experimental: {
      assistive_prompt_config: { user_timezone: 'Europe/Lisbon' },
      permissions: {
        default: 'ask_every_call',
        overrides: { 'SHOP_GET_ORDER:__none__': 'always_allow' },
      },
    },
  }
}

async function checkWholeConfiguration({
  mail,
  first,
  second,
  open,
  newer,
  call,
}: Pick<Sessions, 'mail' | 'first' | 'second' | 'open' | 'newer' | 'call'>): Promise<void> {
  const whole = wholeConfiguration({ mail, first, second })
  const { body } = await open(whole)
  assert.deepEqual(body.config, {
    user_id: 'u1',
    toolkits: { enabled: ['shop', 'mail'] },
    auth_configs: { mail },
    connected_accounts: { shop: [first, second] },
    hooks: whole.hooks,
    manage_connections: {
      enabled: true,
      callback_url: 'https://shop.example/done',
      enable_wait_for_connections: false,
      enable_connection_removal: false,
    },
    tools: {
      shop: { enabled: ['SHOP_GET_ORDER'] },
      mail: { tags: { enabled: ['readOnlyHint'], disabled: ['destructiveHint'] } },
    },
    tags: { enabled: ['readOnlyHint'] },
    workbench: {
      enable: false,
      proxy_execution_enabled: false,
      auto_offload_threshold: 15_000,
      sandbox_size: 'medium',
    },
    multi_account: whole.multi_account,
    preload: whole.preload,
    search: { enable: false },
    execute: { enable_multi_execute: false },
  })
  assert.deepEqual(
    [body.experimental?.permissions, /Europe\/Lisbon/.test(body.experimental?.assistive_prompt ?? '')],
    [whole.experimental.permissions, true],
  )
  const again = (await newer(sessions.readSession, { params: { session_id: body.session_id } })).body
  assert.deepEqual(
    again,
    { ...body, experimental: { permissions: whole.experimental.permissions } },
    'read again, without the prompt',
  )
  const older = (await call(sessions.readSession, { params: { session_id: body.session_id } })).body
  assert.deepEqual(
    [older.mcp.url, older.config.connected_accounts],
    [`http://localhost:3900/tool_router/v3/${body.session_id}/mcp`, { shop: first }],
  )
}

const many = { multi_account: { enable: true } }

type Accounts = Record<'foreign' | 'theirs' | 'others' | 'off' | 'granted' | 'more' | 'denied', string>

/** Invalid configurations, and the field errors of each. */
function invalidConfigurations(
  { mail, first, second }: Ids,
  { foreign, theirs, others, off, granted, more, denied }: Accounts,
): readonly [Body, RegExp][] {
  const none = (toolkit: string, accountId: string) =>
    new RegExp(`connected_accounts.${toolkit}: the user u1 has no connected account ${accountId}`)
  return [
    [{ toolkits: { enable: ['shop'], disable: ['mail'] } }, /^toolkits: give either enable or disable$/],
    [{ toolkits: {} }, /give either/],
    [{ toolkits: { enable: ['shop', 'gmial'] } }, /^toolkits.enable\[1\]: there is no toolkit gmial$/],
    [{ toolkits: { disable: ['nowhere'] } }, /no toolkit nowhere/],
    [
      { tools: { shop: { enable: ['SHOP_NOTHING', 'MAIL_READ'] }, nowhere: { enable: [] } } },
      /no tool SHOP_NOTHING in shop \| .*no tool MAIL_READ in shop \| tools.nowhere: there is no toolkit/,
    ],
    [{ tools: { shop: { enable: [], tags: [] } } }, /^tools.shop: give one of/],
    [{ tools: { shop: {} } }, /give one of/],
    [{ tools: { shop: { tags: ['niceHint'] } } }, /payload.tools/],
    [{ tags: ['niceHint'] }, /payload.tags/],
    [
      { auth_configs: { shop: 'ac_000000000000' } },
      /^auth_configs.shop: there is no auth config ac_000000000000$/,
    ],
    [{ auth_configs: { shop: foreign } }, /there is no auth config/],
    [{ auth_configs: { shop: mail } }, /belongs to mail/],
    [{ connected_accounts: { shop: 'ca_000000000000' } }, none('shop', 'ca_')],
    [{ connected_accounts: { shop: theirs } }, none('shop', theirs)],
    [{ connected_accounts: { shop: others } }, none('shop', others)],
    [{ connected_accounts: { mail: first } }, none('mail', first)],
    [{ connected_accounts: { shop: off } }, /is switched off/],
    [{ connected_accounts: { shop: denied } }, none('shop', denied)],
    [{ connected_accounts: { shop: [first, second] } }, /one account, unless multi_account/],
    [{ connected_accounts: { shop: [granted, more] }, ...many }, /at most one SHARED/],
    [
      {
        connected_accounts: { shop: [first, second, granted] },
        multi_account: { enable: true, max_accounts_per_toolkit: 2 },
      },
      /at most 2 accounts/,
    ],
    [{ multi_account: { enable: false, max_accounts_per_toolkit: 3 } }, /^multi_account: enable is false/],
    [{ preload: { tools: ['SHOP_NOTHING'] } }, /preload.tools\[0\]: there is no tool/],
    [{ toolkits: { enable: ['mail'] }, preload: { tools: ['SHOP_GET_ORDER'] } }, /hidden by the filters/],
    [{ preload: { tools: 'all' } }, /needs a filter/],
    [{ toolkits: { enable: ['shop'] }, preload: { tools: 'all' }, ...many }, /together with multi_account/],
    [
      { experimental: { assistive_prompt_config: { user_timezone: 'Mars/Base' } } },
      /Mars\/Base is not a time zone/,
    ],
    [{ speed: 'high' }, /payload\.speed: is not a known field$/],
    [{ user_id: '' }, /payload.user_id/],
    [{ connected_accounts: { shop: first, SHOP: first } }, /given twice/],
  ]
}

async function checkInvalidFields({
  config,
  stranger,
  account,
  shop,
  call,
  mail,
  first,
  second,
  faultsOf,
  open,
}: Sessions): Promise<void> {
  const foreign = await config('shop', stranger)
  const theirs = await account(foreign, 'u1', {}, stranger)
  const others = await account(shop, 'u2')
  const off = await account(shop, 'u1')
  await call(setConnectedAccountStatus, { params: { nanoid: off }, body: { enabled: false } })
  const shared = async (allowed: string[]) =>
    account(shop, 'u2', {
      experimental: { account_type: 'SHARED', acl_config_for_shared: { allowed_user_ids: allowed } },
    })
  const [granted, more, denied] = [await shared(['u1']), await shared(['u1']), await shared(['u3'])]
  const accounts = { foreign, theirs, others, off, granted, more, denied }
  for (const [body, said] of invalidConfigurations({ mail, first, second }, accounts)) {
    const [status, text] = faultsOf(await open(body))
    assert.deepEqual([status, said.test(text)], [400, true], `${JSON.stringify(body)}: ${text}`)
  }
  assert.deepEqual(
    [
      (await open({ connected_accounts: { shop: [granted, first] }, ...many })).status,
      (await open({ speed: 'high' }, call)).status,
    ],
    [201, 201],
    'v3 ignores what it does not know',
  )
}
