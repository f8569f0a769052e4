import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProjectKey } from '../../contract/projects/index.ts'
import * as saved from '../../contract/sessions/index.ts'
import { startSessions, type Sessions, type Body, sessions } from '#fixtures/sessions.ts'

test('sessions: saved configs, custom tools and the older endpoint over HTTP', async (t) => {
  const fixture = await startSessions(t)
  await t.test(
    'saved configs: a session copies the saved filters, and archived, foreign and unknown configs are rejected',
    () => checkSavedConfigs(fixture),
  )

  await t.test('custom tools: create and attach return final slugs and store nothing', () =>
    checkCustomTools(fixture),
  )

  await t.test('sessions: the older endpoint creates one session per user and configuration', () =>
    checkOlderEndpoint(fixture),
  )

  await t.test(
    'sessions: a key with only the execute permission can execute in sessions, and nothing else',
    () => checkExecutePermission(fixture),
  )
})

const filters = {
  toolkits: { enable: ['SHOP'] },
  tools: { shop: { disable: ['SHOP_CREATE_ORDER'] } },
  tags: ['readOnlyHint' as const],
}

async function checkSavedConfigs(fixture: Sessions): Promise<void> {
  const { call, open, faultsOf } = fixture
  const made = await call(saved.createSavedConfig, { body: { name: 'Readers', config: filters } })
  const allSettings = {
    toolkits: { enable: ['shop'] },
    tools: { shop: { disable: ['SHOP_CREATE_ORDER'] } },
    tags: { enable: ['readOnlyHint'] },
  }
  assert.deepEqual(
    [made.status, made.body.config, made.body.archived, made.body.description],
    [201, allSettings, false, ''],
  )
  const use = (more: Body = {}) =>
    open({ experimental: { session_config_id: made.body.id }, ...more } as never, call)
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
    const [status, text] = faultsOf(await use(more))
    assert.deepEqual([status, said.test(text)], [400, true], text)
  }
  assert.deepEqual(
    faultsOf(
      await call(saved.createSavedConfig, {
        body: { name: 'x', config: { toolkits: { enable: ['gmial'] } } },
      }),
    )[0],
    400,
  )
  assert.equal((await call(saved.createSavedConfig, { body: { name: 'Readers', config: {} } })).status, 409)
  await checkNamesAndSearch(fixture)
  await checkArchivedConfig(fixture, made.body.id, body.session_id)
}

async function checkNamesAndSearch({ call, stranger }: Sessions): Promise<void> {
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
}

/** Archives the config, from which the session was created before. */
async function checkArchivedConfig(
  { call, open, stranger }: Sessions,
  configId: string,
  sessionId: string,
): Promise<void> {
  const params = { config_id: configId }
  const use = (caller = call) => open({ experimental: { session_config_id: configId } } as never, caller)
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
      (await use(stranger)).status,
      (await stranger(saved.readSavedConfig, { params })).status,
      (await stranger(saved.updateSavedConfig, { params, body: { archived: false } })).status,
    ],
    [404, 404, 404, 404],
  )
  assert.deepEqual(
    (await call(sessions.readSession, { params: { session_id: sessionId } })).body.config.toolkits,
    { enabled: ['shop'] },
    'what was opened stays as it was',
  )
  assert.equal(
    (await call(saved.createSavedConfig, { body: { name: 'Readers', config: {} } })).status,
    201,
    'the name of an archived one is free',
  )
  assert.equal((await call(saved.updateSavedConfig, { params, body: { archived: false } })).status, 409)
}

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

async function checkCustomTools({ open, newer, faultsOf }: Sessions): Promise<void> {
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
    [{ experimental: { custom_tools: [custom.custom_tools[1], custom.custom_tools[1]] } }, /is there twice/],
  ] as const)
    assert.deepEqual(
      [(await open(bad)).status, said.test(faultsOf(await open(bad))[1])],
      [400, true],
      JSON.stringify(bad),
    )
}

async function checkOlderEndpoint({ call, shop }: Sessions): Promise<void> {
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
}

async function checkExecutePermission({ id, org, keys, as }: Sessions): Promise<void> {
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
}
