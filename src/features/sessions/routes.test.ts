import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import { client, type Client } from '#fixtures/client.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, setConnectedAccountStatus } from '../../contract/connected-accounts/index.ts'
import { createProjectKey } from '../../contract/projects/index.ts'
import * as meta from '../../contract/sessions/index.ts'
import * as saved from '../../contract/sessions/index.ts'
import * as work from '../../contract/sessions/index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

const sessions = { ...work, ...meta }
type Body = Record<string, unknown>

test('sessions: are created, read, updated and deleted over HTTP', async (t) => {
  const s = await testApp(t, { catalog: exampleCatalog() })
  const { call, keys, as, org } = s
  // Of two servers each takes its turn.
  const newer = client(
    roundRobin([s, await testApp(t, { sameDatabaseAs: s, catalog: exampleCatalog() })]),
    { 'x-api-key': keys.projectApiKey },
    'v3.1',
  )
  const stranger = await s.otherProject()
  const config = async (slug: string, by: Client = call) =>
    (
      await by(createAuthConfig, {
        body: {
          toolkit: { slug },
          auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
        },
      })
    ).body.auth_config.id
  const account = async (id: string, user_id: string, more: Body = {}, by: Client = call) =>
    (
      await by(createConnectedAccount, {
        body: {
          auth_config: { id },
          connection: {
            user_id,
            state: { authScheme: 'API_KEY', val: { generic_api_key: 'k-1234567', subdomain: 'mine' } },
            ...more,
          },
        } as never,
      })
    ).body.id
  const open = (body: Body, by: Client = newer) =>
    by(sessions.createSession, { body: { user_id: 'u1', ...body } as never })
  const id = async (body: Body = {}) => (await open(body)).body.session_id
  const patch = (session_id: string, body: Body, by: Client = newer) =>
    by(sessions.updateSession, { params: { session_id }, body: body as never })
  const mistakes = (reply: { status: number; body: unknown }) =>
    [
      reply.status,
      ((reply.body as { error?: { errors: string[] } }).error?.errors ?? []).join(' | '),
    ] as const
  const [shop, mail] = [await config('shop'), await config('mail')]
  const [first, second] = [await account(shop, 'u1'), await account(shop, 'u1')]

  await t.test('sessions: the response contains the whole configuration with its defaults', async () => {
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
    const whole = {
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
  })

  await t.test('sessions: invalid fields are rejected by name, all at once', async () => {
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
    const none = (toolkit: string, given: string) =>
      new RegExp(`connected_accounts.${toolkit}: the user u1 has no connected account ${given}`)
    const many = { multi_account: { enable: true } }
    const cases: readonly [Body, RegExp][] = [
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
    for (const [body, said] of cases) {
      const [status, text] = mistakes(await open(body))
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
  })

  await t.test(
    'saved configs: a session copies the saved filters, and archived, foreign and unknown configs are rejected',
    async () => {
      const filters = {
        toolkits: { enable: ['SHOP'] },
        tools: { shop: { disable: ['SHOP_CREATE_ORDER'] } },
        tags: ['readOnlyHint' as const],
      }
      const made = await call(saved.createSavedConfig, { body: { name: 'Readers', config: filters } })
      const held = {
        toolkits: { enable: ['shop'] },
        tools: { shop: { disable: ['SHOP_CREATE_ORDER'] } },
        tags: { enable: ['readOnlyHint'] },
      }
      assert.deepEqual(
        [made.status, made.body.config, made.body.archived, made.body.description],
        [201, held, false, ''],
      )
      const params = { config_id: made.body.id }
      const use = (more: Body = {}, caller = call) =>
        open({ experimental: { session_config_id: made.body.id }, ...more } as never, caller)
      const { body } = await use()
      assert.deepEqual(
        [body.config.toolkits, body.config.tags, body.experimental?.source_session_config],
        [{ enabled: ['shop'] }, { enabled: ['readOnlyHint'] }, { id: made.body.id }],
      )
      for (const [more, said] of [
        [{ toolkits: { enable: ['mail'] } }, /^toolkits: cannot be combined/],
        [{ tags: [] }, /^tags: cannot/],
        [{ hooks: [] }, /^hooks: cannot/],
      ] as [Body, RegExp][]) {
        const [status, text] = mistakes(await use(more))
        assert.deepEqual([status, said.test(text)], [400, true], text)
      }
      assert.deepEqual(
        mistakes(
          await call(saved.createSavedConfig, {
            body: { name: 'x', config: { toolkits: { enable: ['gmial'] } } },
          }),
        )[0],
        400,
      )
      assert.equal(
        (await call(saved.createSavedConfig, { body: { name: 'Readers', config: {} } })).status,
        409,
      )
      const other = (
        await call(saved.createSavedConfig, {
          body: { name: 'Writers', description: '50% more', config: {} },
        })
      ).body
      assert.equal(
        (await call(saved.updateSavedConfig, { params: { config_id: other.id }, body: { name: 'Readers' } }))
          .status,
        409,
      )
      const names = async (query: object) =>
        (await call(saved.listSavedConfigs, { query })).body.items.map(({ name }) => name)
      assert.deepEqual(
        [
          await names({}),
          await names({ search: '50% M' }),
          await names({ search: '_' }),
          await names({ archived: true }),
          (await stranger(saved.listSavedConfigs, {})).body.items,
        ],
        [['Writers', 'Readers'], ['Writers'], [], [], []],
      )
      assert.deepEqual(
        (
          await call(saved.updateSavedConfig, {
            params,
            body: { archived: true, config: { toolkits: { disable: ['mail'] } } },
          })
        ).body.config,
        { toolkits: { disable: ['mail'] } },
      )
      assert.deepEqual(
        [
          (await use()).status,
          (await use({}, stranger)).status,
          (await stranger(saved.readSavedConfig, { params })).status,
          (await stranger(saved.updateSavedConfig, { params, body: { archived: false } })).status,
        ],
        [404, 404, 404, 404],
      )
      assert.deepEqual(
        (await call(sessions.readSession, { params: { session_id: body.session_id } })).body.config.toolkits,
        { enabled: ['shop'] },
        'what was opened stays as it was',
      )
      assert.equal(
        (await call(saved.createSavedConfig, { body: { name: 'Readers', config: {} } })).status,
        201,
        'the name of an archived one is free',
      )
      assert.equal((await call(saved.updateSavedConfig, { params, body: { archived: false } })).status, 409)
    },
  )

  await t.test(
    'sessions: an update replaces lists, merges switches, and resets null to the default',
    async () => {
      const made = await id({
        toolkits: { enable: ['shop'] },
        workbench: { sandbox_size: 'large' },
        manage_connections: { callback_url: 'https://a.example/done' },
        tags: { disable: ['destructiveHint'] },
      })
      const steps: readonly [Body, Body][] = [
        [
          { workbench: { enable: false } },
          {
            workbench: {
              enable: false,
              proxy_execution_enabled: true,
              auto_offload_threshold: 20_000,
              sandbox_size: 'large',
            },
          },
        ],
        [
          { manage_connections: { callback_url: null, enable_wait_for_connections: true } },
          {
            manage_connections: {
              enabled: true,
              enable_wait_for_connections: true,
              enable_connection_removal: true,
            },
          },
        ],
        [
          { toolkits: { disable: ['mail'] } },
          { toolkits: { disabled: ['mail'] }, tags: { disabled: ['destructiveHint'] } },
        ],
        [
          { toolkits: null, tags: null, workbench: null },
          {
            toolkits: undefined,
            tags: undefined,
            workbench: {
              enable: true,
              proxy_execution_enabled: true,
              auto_offload_threshold: 20_000,
              sandbox_size: 'standard',
            },
          },
        ],
        [
          { multi_account: { enable: true, max_accounts_per_toolkit: 3 } },
          { multi_account: { enable: true, max_accounts_per_toolkit: 3, require_explicit_selection: false } },
        ],
        [
          { multi_account: { enable: false } },
          {
            multi_account: { enable: false, max_accounts_per_toolkit: 5, require_explicit_selection: false },
          },
        ],
        [{ preload: { tools: ['MAIL_READ'] } }, { preload: { tools: ['MAIL_READ'] } }],
      ]
      for (const [n, [body, expected]] of steps.entries()) {
        const reply = await patch(made, { ...body, expected_config_version: n + 1 })
        assert.equal(reply.status, 200, JSON.stringify(reply.body))
        assert.deepEqual(
          [
            reply.body.config_version,
            Object.fromEntries(Object.keys(expected).map((key) => [key, reply.body.config[key as never]])),
          ],
          [n + 2, expected],
        )
        assert.equal(reply.body.experimental, undefined)
      }
      const [status, text] = mistakes(await patch(made, { toolkits: { enable: ['shop'] } }))
      assert.deepEqual(
        [status, /preload.tools\[0\]: MAIL_READ is hidden/.test(text)],
        [400, true],
        'preloaded tools must stay within',
      )
      const late = await patch(made, { search: { enable: false }, expected_config_version: 3 })
      assert.deepEqual(
        [late.status, (late.body as any).error.slug, late.headers['x-should-retry']],
        [409, 'ToolRouterV2_ConfigVersionConflict', 'false'],
      )
      assert.deepEqual(mistakes(await patch(made, { user_id: 'u2' })), [
        400,
        'Error in payload.user_id: is not a known field',
      ])
      const together = await Promise.all([
        patch(made, { search: { enable: false } }),
        patch(made, { execute: { enable_multi_execute: false } }),
        patch(made, { tags: ['readOnlyHint'] }),
      ])
      assert.deepEqual(
        together.map(({ body }) => body.config_version).sort((a, b) => a - b),
        [9, 10, 11],
      )
      const { body: last } = await newer(sessions.readSession, { params: { session_id: made } })
      assert.deepEqual(
        [last.config.search, last.config.execute, last.config.tags],
        [{ enable: false }, { enable_multi_execute: false }, { enabled: ['readOnlyHint'] }],
        'no change is lost',
      )
      const page = async (query: Body) =>
        (await newer(sessions.sessionConfigHistory, { params: { session_id: made }, query: query as never }))
          .body
      const { items, next_cursor: next, total_items: total } = await page({ limit: 4 })
      assert.deepEqual(
        [items.map(({ version, is_current: current }) => [version, current]), total],
        [
          [
            [11, true],
            [10, false],
            [9, false],
            [8, false],
          ],
          11,
        ],
      )
      const rest = await page({ cursor: next })
      assert.deepEqual(
        rest.items.map(({ version }) => version),
        [7, 6, 5, 4],
      )
      assert.deepEqual((await page({ limit: 100 })).items.at(-1)?.config.toolkits, { enabled: ['shop'] })
    },
  )

  await t.test(
    'sessions: an unknown, deleted or foreign id gets the same 404 from every endpoint',
    async () => {
      const [made, gone] = [await id(), await id()]
      assert.deepEqual((await newer(sessions.deleteSession, { params: { session_id: gone } })).body, {
        session_id: gone,
        deleted: true,
      })
      const doors: readonly [keyof typeof sessions, Body][] = [
        ['readSession', {}],
        ['updateSession', { search: { enable: true } }],
        ['deleteSession', {}],
        ['attachSession', {}],
        ['sessionConfigHistory', {}],
        ['sessionTools', {}],
        ['sessionToolkits', {}],
        ['executeInSession', { tool_slug: 'FREE_READ' }],
        ['executeMeta', { slug: 'SERVICE_SEARCH_TOOLS' }],
        ['searchInSession', { queries: [{ use_case: 'x' }] }],
        ['linkInSession', { toolkit: 'shop' }],
        ['proxyInSession', { toolkit_slug: 'shop', endpoint: '/', method: 'GET' }],
      ]
      for (const [door, body] of doors) {
        const told = async (session_id: string, by: Client) => {
          const reply = await by(
            sessions[door] as typeof sessions.readSession,
            { params: { session_id }, ...(Object.keys(body).length ? { body } : {}) } as never,
          )
          const { message, request_id: _request, ...rest } = (reply.body as any).error
          return { status: reply.status, message: message.replace(session_id, '<id>'), ...rest }
        }
        const missing = await told('trs_000000000000', newer)
        assert.deepEqual([missing.status, missing.slug], [404, 'ToolRouterV2_SessionNotFound'], door)
        assert.deepEqual([await told(gone, newer), await told(made, stranger)], [missing, missing], door)
      }
      assert.equal((await newer(sessions.readSession, { params: { session_id: 'abc' } })).status, 400)
      assert.equal((await newer(sessions.readSession, { params: { session_id: made } })).status, 200)
    },
  )

  await t.test('custom tools: create and attach return final slugs and store nothing', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const custom = {
      custom_tools: [
        {
          slug: 'triage',
          name: 'Triage',
          description: 'Sorts.',
          input_schema: schema,
          extends_toolkit: 'shop',
          preload: true,
        },
        { slug: 'Plain', name: 'Plain', description: 'Does.', input_schema: schema },
      ],
      custom_toolkits: [
        {
          slug: 'crm',
          name: 'CRM',
          description: 'Ours.',
          tools: [{ slug: 'FIND', name: 'Find', description: 'Finds.', input_schema: schema }],
        },
      ],
    }
    const { body } = await open({ experimental: custom })
    const echoed = (one: typeof body) => [one.experimental?.custom_tools, one.experimental?.custom_toolkits]
    assert.deepEqual(echoed(body), [
      [
        { ...custom.custom_tools[0], slug: 'LOCAL_SHOP_TRIAGE', original_slug: 'triage' },
        { ...custom.custom_tools[1], slug: 'LOCAL_PLAIN', original_slug: 'Plain' },
      ],
      [
        {
          ...custom.custom_toolkits[0],
          tools: [{ ...custom.custom_toolkits[0]!.tools[0], slug: 'LOCAL_CRM_FIND', original_slug: 'FIND' }],
        },
      ],
    ])
    const attach = async (more: Body) =>
      (
        await newer(sessions.attachSession, {
          params: { session_id: body.session_id },
          body: more as never,
        })
      ).body
    assert.deepEqual(
      [
        echoed(await attach({ experimental: custom })),
        echoed(await attach({})),
        (await attach({})).config_version,
      ],
      [echoed(body), [undefined, undefined], 1],
    )
    const one = (more: Body) => ({
      experimental: {
        custom_tools: [{ slug: 'A', name: 'A', description: 'A', input_schema: schema, ...more }],
      },
    })
    for (const [bad, said] of [
      [one({ slug: 'LOCAL_A' }), /must not begin with/],
      [one({ slug: 'service_x' }), /must not begin with/],
      [one({ slug: 'A'.repeat(57) }), /longer than 60/],
      [one({ slug: 'a b' }), /payload/],
      [one({ input_schema: { type: 'string' } }), /must be of type object/],
      [one({ extends_toolkit: 'nowhere' }), /no such toolkit/],
      [
        { experimental: { custom_toolkits: [{ ...custom.custom_toolkits[0], slug: 'SHOP' }] } },
        /there is a toolkit SHOP already/,
      ],
      [
        { experimental: { custom_tools: [custom.custom_tools[1], custom.custom_tools[1]] } },
        /is there twice/,
      ],
    ] as const)
      assert.deepEqual(
        [(await open(bad)).status, said.test(mistakes(await open(bad))[1])],
        [400, true],
        JSON.stringify(bad),
      )
  })

  await t.test('sessions: the older endpoint creates one session per user and configuration', async () => {
    const labs = (config: Body) =>
      call(sessions.createLabsSession, { body: { user_id: 'u9', config } as never })
    const { status, body } = await labs({
      manually_manage_connections: true,
      toolkits: [{ toolkit: 'shop', auth_config_id: shop }, { toolkit: 'free' }],
    })
    const url = `http://localhost:3900/tool_router/v3/${body.session_id}/mcp`
    assert.deepEqual(
      [status, body],
      [201, { session_id: body.session_id, chat_session_mcp_url: url, tool_router_instance_mcp_url: url }],
    )
    const { config: made } = (await call(sessions.readSession, { params: { session_id: body.session_id } }))
      .body
    assert.deepEqual(
      [made.toolkits, made.auth_configs, made.manage_connections.enabled],
      [{ enabled: ['shop', 'free'] }, { shop }, false],
    )
    assert.equal(
      (
        await labs({
          manually_manage_connections: true,
          toolkits: [{ toolkit: 'shop', auth_config_id: shop }, { toolkit: 'free' }],
        })
      ).status,
      409,
    )
    assert.equal((await labs({})).status, 201)
    await call(sessions.deleteSession, { params: { session_id: body.session_id } })
    assert.equal(
      (
        await labs({
          manually_manage_connections: true,
          toolkits: [{ toolkit: 'shop', auth_config_id: shop }, { toolkit: 'free' }],
        })
      ).status,
      201,
      'a deleted session does not prevent a new one',
    )
  })

  await t.test(
    'sessions: a key with only the execute permission can execute in sessions, and nothing else',
    async () => {
      const made = await id()
      const { key } = (
        await org(createProjectKey, {
          params: { nano_id: keys.projectId },
          body: { permissions: { tool_execution: ['write'] } },
        })
      ).body
      const limited = as({ 'x-api-key': key }, 'v3.1')
      assert.equal(
        (
          await limited(sessions.executeInSession, {
            params: { session_id: made },
            body: { tool_slug: 'SHOP_NOTHING' },
          })
        ).status,
        404,
      )
      assert.deepEqual(
        [
          (await limited(sessions.readSession, { params: { session_id: made } })).status,
          (await limited(sessions.createSession, { body: { user_id: 'u' } })).status,
        ],
        [403, 403],
      )
    },
  )
})
