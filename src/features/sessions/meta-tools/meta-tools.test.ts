import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { catalogFromSources } from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { sql } from '../../../platform/db/sql.ts'
import { metaStage } from '#fixtures/meta-tools.ts'

const input = (properties: Record<string, string>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required: Object.keys(properties),
  ...more,
})
const source = (name: string, tools: unknown[], toolkit: Record<string, unknown> = {}) =>
  sampleSource({ slug: name, name: name[0]!.toUpperCase() + name.slice(1), ...toolkit }, tools, {
    slug: name,
  })
const CATALOG = catalogFromSources([
  source('chat', [
    sampleTool({
      slug: 'CHAT_SEND_MESSAGE',
      name: 'Send message',
      description: 'Sends a message to a channel of the workspace.',
      effect: 'create',
      input: input({ channel: 'Id of the channel, from CHAT_LIST_CHANNELS.', text: 'Text of the message.' }),
      request: { method: 'POST', path: '/messages', body: ['channel', 'text'] },
    }),
    sampleTool({
      slug: 'CHAT_LIST_CHANNELS',
      name: 'List channels',
      description: 'Lists the channels of the workspace.',
      input: input({}),
      request: { method: 'GET', path: '/channels' },
    }),
    sampleTool({
      slug: 'CHAT_DELETE_MESSAGE',
      name: 'Delete message',
      description: 'Deletes a message of a channel for ever.',
      effect: 'delete',
      input: input({ id: 'Id of the message.' }),
      request: { method: 'DELETE', path: '/messages/{id}' },
    }),
  ]),
  source('mail', [
    sampleTool({
      slug: 'MAIL_FETCH_EMAILS',
      name: 'Fetch emails',
      description: 'Lists emails of the mailbox, newest first.',
      input: input({}),
      request: { method: 'GET', path: '/emails' },
    }),
    sampleTool({
      slug: 'MAIL_SEND_EMAIL',
      name: 'Send email',
      description: 'Sends an email to recipients.',
      effect: 'create',
      input: input({ to: 'Address of the recipient.' }),
      request: { method: 'POST', path: '/emails', body: ['to'] },
    }),
  ]),
  source(
    'weather',
    [
      sampleTool({
        slug: 'WEATHER_FORECAST',
        name: 'Weather forecast',
        description: 'Tells the weather forecast of a city.',
        input: input({ city: 'Name of the city.' }),
        request: { method: 'GET', path: '/forecast/{city}' },
      }),
    ],
    { auth: [{ scheme: 'NO_AUTH' }], base_url: 'https://weather.example' },
  ),
])

async function startMetaTools(t: TestContext) {
  const s = await metaStage(t, CATALOG)
  const connect = (...toolkits: string[]) => {
    s.accounts = toolkits.map((one) => s.account(one))
  }
  return { connect, s }
}

type MetaTools = Awaited<ReturnType<typeof startMetaTools>>

test('meta tools: search, batch, connections and recipes in a session', async (t) => {
  const fixture = await startMetaTools(t)

  await t.test(
    'meta tool search: returns a result per query, full schemas of primary tools, plans, connection statuses and next steps',
    () => checkSearch(fixture),
  )

  await t.test('meta tools: a hidden tool is not found, described, suggested or run', () =>
    checkHiddenTools(fixture),
  )

  await t.test(
    'meta tool get schemas: output schemas are returned on request, and only unknown slugs are an error',
    () => checkSchemas(fixture),
  )

  await t.test(
    'meta tool batch: items of one missing connection share a link, the others run, and memory is stored per user',
    () => checkSharedLinks(fixture),
  )

  await t.test(
    'meta tool batch: accepts strict schema format arguments with null fields and objects as text',
    () => checkStrictArguments(fixture),
  )

  await t.test(
    'meta tool batch: reports pending approvals, also in recipe steps, and rejects LOCAL_ tools',
    () => checkPendingApprovals(fixture),
  )

  await t.test('meta tool batch: large results are stored in a file, and their beginnings are returned', () =>
    checkLargeResults(fixture),
  )

  await t.test(
    'meta tools: invalid arguments, even a megabyte of them, return an error that says how to fix them',
    () => checkInvalidArguments(fixture),
  )

  await t.test('meta tools: random arguments always return an object', () => checkRandomArguments(fixture))

  await t.test(
    'meta tool manage connections: handles toolkits separately, continues started connections, and lists, renames and removes accounts',
    () => checkConnections(fixture),
  )

  await t.test(
    'meta tool wait for connections: ends when all or any are connected, or after 45 seconds',
    () => checkWait(fixture),
  )
})

async function checkSearch({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  const { data, error } = await s.run('SEARCH_TOOLS', {
    queries: [
      { use_case: 'post a message to a channel in chat' },
      { use_case: 'fetch my latest emails' },
      { use_case: 'weather forecast of a city', known_fields: 'city:Bern' },
    ],
    session: { generate_id: true },
    unknown_member: 1,
  })
  assert.equal(error, null)
  assert.deepEqual(Object.keys(data).sort(), [
    'error',
    'next_steps_guidance',
    'results',
    'session',
    'success',
    'time_info',
    'tool_schemas',
    'toolkit_connection_statuses',
  ])
  const [post, fetch, weather] = data.results
  assert.deepEqual(
    [post.index, post.primary_tool_slugs, post.related_tool_slugs[0], post.difficulty],
    [1, ['CHAT_SEND_MESSAGE'], 'CHAT_LIST_CHANNELS', 'medium - 2 calls in order'],
  )
  assert.match(post.plan_id, /^[0-9a-f]{32}$/)
  assert.deepEqual(post.recommended_plan_steps, [
    '[Required] Get `channel` of CHAT_SEND_MESSAGE with CHAT_LIST_CHANNELS',
    '[Required] Call CHAT_SEND_MESSAGE',
  ])
  assert.ok(post.known_pitfalls.some((one: string) => one.startsWith('`channel` of CHAT_SEND_MESSAGE')))
  assert.deepEqual(
    [fetch.index, fetch.primary_tool_slugs[0], 'plan_id' in fetch, weather.primary_tool_slugs[0]],
    [2, 'MAIL_FETCH_EMAILS', false, 'WEATHER_FORECAST'],
  )
  assert.deepEqual(data.tool_schemas.CHAT_SEND_MESSAGE.input_schema.required, ['channel', 'text'])
  assert.deepEqual(data.tool_schemas.CHAT_LIST_CHANNELS.schemaRef, {
    tool: 'BRAND_GET_TOOL_SCHEMAS',
    args: { tool_slugs: ['CHAT_LIST_CHANNELS'] },
    message: 'Fetch the schema before you call the tool.',
  })
  const status = new Map(data.toolkit_connection_statuses.map((one: any) => [one.toolkit, one])) as Map<
    string,
    any
  >
  assert.deepEqual(
    ['chat', 'mail', 'weather'].map((one) => status.get(one).has_active_connection),
    [false, true, true],
  )
  assert.deepEqual(
    [status.get('mail').connection_details, 'connection_details' in status.get('chat')],
    [{ auth_config_id: 'ac_mail', connected_account_id: 'ca_mail' }, false],
  )
  assert.match(data.next_steps_guidance[0], /^Connect chat with BRAND_MANAGE_CONNECTIONS/)
  assert.deepEqual(
    [data.time_info.current_time_utc, data.session.generate_id],
    ['2026-02-03T10:00:00.000Z', true],
  )
  assert.match(data.session.id, /^[a-z]+-[a-z]+$/)
  assert.ok(!JSON.stringify(data).includes('SERVICE_'), 'the wire has its own spelling')
  const again = await s.run('SEARCH_TOOLS', {
    queries: [{ use_case: 'send email' }],
    session: { id: data.session.id },
    search_strategy: 'tool_search',
  })
  assert.deepEqual(
    [again.data.session.id, again.data.session.generate_id, 'difficulty' in again.data.results[0]],
    [data.session.id, false, false],
  )
}

async function checkHiddenTools({ connect, s }: MetaTools): Promise<void> {
  connect('chat', 'mail')
  const config = {
    tools: { chat: { disable: ['CHAT_SEND_MESSAGE'] } },
    toolkits: { enable: ['chat', 'weather'] },
  }
  const { data } = await s.run(
    'SEARCH_TOOLS',
    {
      queries: [
        { use_case: 'send message to channel' },
        { use_case: 'fetch emails' },
        { use_case: 'quantum knitting patterns' },
      ],
    },
    config,
  )
  assert.ok(!/CHAT_SEND_MESSAGE|MAIL_/.test(JSON.stringify(data)))
  assert.deepEqual([data.results[2].primary_tool_slugs, data.results[2].error], [[], null])
  const schemas = await s.run(
    'GET_TOOL_SCHEMAS',
    { tool_slugs: ['CHAT_SEND_MESSAGE', 'chat_list_channels', 'CHAT_LIST_CHANNEL', 'x'.repeat(5_000)] },
    config,
  )
  assert.deepEqual(
    [Object.keys(schemas.data.tool_schemas), schemas.data.success, schemas.error],
    [['CHAT_LIST_CHANNELS'], true, null],
  )
  assert.deepEqual(
    [schemas.data.not_found.slice(0, 2), schemas.data.not_found[2].length],
    [['CHAT_SEND_MESSAGE', 'CHAT_LIST_CHANNEL'], 100],
  )
  assert.ok(
    schemas.data.suggestions.CHAT_LIST_CHANNEL.includes('CHAT_LIST_CHANNELS') &&
      !JSON.stringify(schemas.data.suggestions).includes('"CHAT_SEND_MESSAGE"]'),
  )
  const before = s.executed.length
  const ran = await s.run(
    'MULTI_EXECUTE_TOOL',
    {
      tools: [
        'CHAT_SEND_MESSAGE',
        'MAIL_SEND_EMAIL',
        'NOT_THERE',
        'SERVICE_SEARCH_TOOLS',
        'BRAND_REMOTE_BASH_TOOL',
      ].map((tool_slug) => ({ tool_slug, arguments: {} })),
      sync_response_to_workbench: false,
    },
    config,
  )
  assert.deepEqual(
    [s.executed.length - before, ran.data.error_count, ran.error],
    [0, 5, '5 out of 5 tools failed'],
  )
  assert.ok(
    ran.data.results.slice(0, 3).every((one: any) => /not found in this session/.test(one.error)) &&
      ran.data.results.slice(3).every((one: any) => /not allowed in a batch/.test(one.error)),
  )
}

async function checkSchemas({ s }: MetaTools): Promise<void> {
  const { data } = await s.run('GET_TOOL_SCHEMAS', {
    tool_slugs: ['WEATHER_FORECAST'],
    include: ['output_schema'],
    session_id: 'brave-otter',
  })
  assert.deepEqual(
    [Object.keys(data.tool_schemas.WEATHER_FORECAST).sort(), data.session.id, 'not_found' in data],
    [['description', 'output_schema', 'tool_slug', 'toolkit'], 'brave-otter', false],
  )
  const none = await s.run('GET_TOOL_SCHEMAS', { tool_slugs: ['WHAT_EVER'] })
  assert.deepEqual([none.data.success, /^None of these/.test(none.error!)], [false, true])
}

async function checkSharedLinks({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  s.answer = async ({ toolSlug }) => ({ data: { from: toolSlug }, error: null, successful: true })
  const linked = s.links.length
  const call = (tool_slug: string, args = {}) => ({ tool_slug, arguments: args })
  const { data, error } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: [
      call('CHAT_LIST_CHANNELS'),
      call('MAIL_FETCH_EMAILS'),
      call('CHAT_DELETE_MESSAGE', { id: '1' }),
      call('WEATHER_FORECAST', { city: 'Bern' }),
    ],
    sync_response_to_workbench: false,
    memory: {
      mail: ['Writes to ada@example.com often', 'The password is hunter2'],
      chat: ['The channel #ops is C0123'],
      nothing: ['is here'],
    },
  })
  assert.deepEqual(
    [error, data.total_count, data.success_count, data.error_count, data.remote_file_info],
    ['2 out of 4 tools failed', 4, 2, 2, null],
  )
  assert.deepEqual(
    data.results.map((one: any) => one.response?.successful),
    [false, true, false, true],
  )
  assert.match(
    data.results[0].error,
    /^No active connection for chat\. Show the user this link.*https:\/\/connect\.example\/link\/lk_/,
  )
  assert.equal(data.results[0].response.data.redirect_url, data.results[2].response.data.redirect_url)
  assert.equal(s.links.length - linked, 1)
  assert.match(data.next_steps, /links for chat/)
  const only = async (...slugs: string[]) =>
    (
      await s.run('MULTI_EXECUTE_TOOL', {
        tools: slugs.map((one) => call(one, { id: '1' })),
        sync_response_to_workbench: false,
      })
    ).visit
  assert.deepEqual(await only('CHAT_DELETE_MESSAGE', 'CHAT_LIST_CHANNELS'), {
    id: 'ca_new',
    message: 'No active connection for chat. Connect it here, then call the tools again.',
    url: `https://connect.example/link/lk_${s.links.length}`,
  })
  assert.equal(await only('CHAT_LIST_CHANNELS', 'MAIL_FETCH_EMAILS'), undefined, 'the tool that ran is named')
  s.answer = async () => ({
    data: { toolkit: 'mail', redirect_url: 'https://evil.example', connected_account_id: 'x' },
    error: 'no',
    successful: false,
  })
  assert.equal(await only('MAIL_FETCH_EMAILS'), undefined, 'an application hands out no links')
  assert.deepEqual(
    [s.executed.at(-1)!.parent, s.executed.at(-1)!.version],
    [{ sessionId: 'trs_1', logId: 'log_meta' }, 'latest'],
  )
  const found = await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'fetch emails' }] })
  assert.deepEqual(found.data.results[0].memory, { mail: ['Writes to ada@example.com often'] })
  assert.ok(
    !JSON.stringify(
      (
        await s.run(
          'SEARCH_TOOLS',
          { queries: [{ use_case: 'fetch emails' }] },
          await s.scope({}, { userId: 'u2' }),
        )
      ).data,
    ).includes('memory'),
    'of nobody else',
  )
  assert.ok(
    !JSON.stringify(
      (
        await s.run(
          'SEARCH_TOOLS',
          { queries: [{ use_case: 'fetch emails' }] },
          await s.scope({}, { projectId: 'proj_b' }),
        )
      ).data,
    ).includes('"memory"'),
  )
  const { count } = (await s.db.one<{ count: number }>(
    sql`select count(*)::int as count from user_memories`,
  )) as { count: number }
  assert.equal(count, 2)
}

async function checkStrictArguments({ s }: MetaTools): Promise<void> {
  s.answer = async ({ arguments: args }) => ({ data: { ...args }, error: null, successful: true })
  const { data, error } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: [{ tool_slug: 'WEATHER_FORECAST', arguments: '{"city":"Bern"}', account: null }],
    sync_response_to_workbench: false,
    thought: null,
    current_step: null,
    current_step_metric: null,
    memory: null,
    session_id: null,
  })
  assert.deepEqual([error, data.results[0].response?.data], [null, { city: 'Bern' }])
}

async function checkPendingApprovals({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  const approval = { id: 'apr_1', status: 'pending', url: 'https://x.example/approve' }
  s.answer = async ({ toolSlug }) =>
    toolSlug === 'MAIL_SEND_EMAIL'
      ? { data: { approval }, error: 'Approval required', successful: false }
      : { data: {}, error: null, successful: true }
  await s.run('UPSERT_RECIPE', {
    recipe_slug: 'SEND_IT',
    name: 'Send it',
    recipe_code: JSON.stringify({
      steps: [
        { id: 'read', tool: 'MAIL_FETCH_EMAILS' },
        { id: 'send', tool: 'MAIL_SEND_EMAIL', arguments: { to: 'a@example.com' } },
      ],
    }),
  })
  const { data } = await s.run('MULTI_EXECUTE_TOOL', {
    tools: ['MAIL_FETCH_EMAILS', 'MAIL_SEND_EMAIL', 'LOCAL_SHOUT', 'RECIPE_SEND_IT'].map((tool_slug) => ({
      tool_slug,
      arguments: {},
    })),
    sync_response_to_workbench: false,
  })
  assert.equal(
    data.next_steps,
    'Ask a person to decide on items 1, 3 (approval), then run them again exactly as before. Only ' +
      'item 2 failed; do not run the others again.',
  )
  assert.deepEqual(
    [data.results[3].response.data, data.results[3].error],
    [
      { completed_steps: ['read'], failed_step: 'send', approval },
      'Stopped at step "send" (MAIL_SEND_EMAIL): Approval required',
    ],
  )
  assert.match(data.results[2].error, /runs in the process of the caller/)
}

async function checkLargeResults({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  const emails = Array.from({ length: 500 }, (_, id) => ({ id, subject: 's'.repeat(80) }))
  s.answer = async () => ({ data: { emails }, error: null, successful: true })
  const args = {
    tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }],
    sync_response_to_workbench: false,
  }
  const { data } = await s.run('MULTI_EXECUTE_TOOL', args)
  assert.ok(JSON.stringify(data).length < 24_000 && data.results[0].response.data._truncated)
  assert.match(
    data.remote_file_info.file_path,
    /^\/mnt\/files\/\.service\/output\/multi_execute_\w{8}\.json$/,
  )
  assert.deepEqual(
    [
      JSON.parse(s.files.at(-1)!.bytes.toString())[0].response.data.emails.length,
      data.remote_file_info.size_bytes,
    ],
    [500, s.files.at(-1)!.bytes.length],
  )
  for (const scope of [
    await s.scope({ workbench: { enable: false } }),
    await s.scope({}, { storePayloads: false }),
  ]) {
    const inline = await s.run(
      'MULTI_EXECUTE_TOOL',
      { ...args, tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }] },
      scope,
    )
    assert.deepEqual(
      [inline.data.remote_file_info, inline.data.results[0].response.data.emails.length],
      [null, 500],
    )
  }
}

async function checkInvalidArguments({ s, connect }: MetaTools): Promise<void> {
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['SEARCH_TOOLS', {}, /queries: is required/],
    ['SEARCH_TOOLS', { queries: [] }, /fewer than 1/],
    ['SEARCH_TOOLS', { queries: [{ use_case: 'x'.repeat(2_000) }] }, /1024/],
    ['GET_TOOL_SCHEMAS', { tool_slugs: 'x' }, /tool_slugs/],
    ['MULTI_EXECUTE_TOOL', { tools: [], sync_response_to_workbench: false }, /tools/],
    [
      'MULTI_EXECUTE_TOOL',
      {
        tools: Array.from({ length: 51 }, () => ({ tool_slug: 'A', arguments: {} })),
        sync_response_to_workbench: true,
      },
      /50/,
    ],
    [
      'MULTI_EXECUTE_TOOL',
      {
        tools: [{ tool_slug: 'A', arguments: 'x'.repeat(10_000_000) }],
        sync_response_to_workbench: false,
      },
      /arguments/,
    ],
    ['MANAGE_CONNECTIONS', { toolkits: [7] }, /toolkits/],
    ['WAIT_FOR_CONNECTIONS', { toolkits: ['chat'], mode: 'none' }, /mode/],
    ['UPSERT_RECIPE', { recipe_slug: 'ABC' }, /name/],
    ['GET_RECIPE', {}, /recipe_slug/],
  ]
  for (const [name, args, error] of cases) {
    const outcome = await s.run(name, args)
    assert.match(outcome.error!, error, name)
    assert.deepEqual([outcome.data, outcome.error!.length < 5_000], [{}, true])
  }
  s.answer = async (call) => {
    throw call.toolSlug === 'WEATHER_FORECAST'
      ? new ApiError('Tool_ToolNotFound', 'Tool WEATHER_FORECAST not found')
      : new Error('a secret of ours')
  }
  connect('mail')
  const gone = await s.run('MULTI_EXECUTE_TOOL', {
    tools: [
      { tool_slug: 'WEATHER_FORECAST', arguments: { city: 'x' } },
      { tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} },
    ],
    sync_response_to_workbench: false,
  })
  assert.match(gone.data.results[0].error, /WEATHER_FORECAST not found/, 'it vanished after the search')
  assert.ok(!JSON.stringify(gone.data).includes('a secret of ours'))
}

async function checkRandomArguments({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  s.answer = async () => ({ data: {}, error: null, successful: true })
  const slugs = fc.constantFrom(
    'MAIL_FETCH_EMAILS',
    'RECIPE_SEND_IT',
    'RECIPE_',
    'nope',
    '',
    '__proto__',
    'mail',
    'SERVICE_SEARCH_TOOLS',
  )
  const any = fc.oneof(slugs, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>)
  const name = fc.constantFrom(
    'SEARCH_TOOLS',
    'GET_TOOL_SCHEMAS',
    'MULTI_EXECUTE_TOOL',
    'MANAGE_CONNECTIONS',
    'UPSERT_RECIPE',
    'GET_RECIPE',
  )
  const args = fc.record(
    {
      queries: fc.array(fc.record({ use_case: fc.string({ minLength: 1 }), known_fields: fc.string() }), {
        minLength: 1,
        maxLength: 1,
      }),
      tool_slugs: fc.array(slugs, { minLength: 1, maxLength: 4 }),
      toolkits: fc.array(any, { maxLength: 3 }),
      session: any,
      session_id: any,
      tools: fc.array(
        fc.record(
          { tool_slug: any, arguments: any, account: fc.string() },
          { requiredKeys: ['tool_slug', 'arguments'] },
        ),
        { maxLength: 3 },
      ),
      sync_response_to_workbench: fc.boolean(),
      memory: any,
      recipe_slug: slugs,
      name: fc.string({ unit: 'binary' }),
      recipe_code: fc.json(),
      description: fc.string({ unit: 'binary' }),
    },
    { requiredKeys: ['queries', 'sync_response_to_workbench'] },
  )
  await fc.assert(
    fc.asyncProperty(name, args, async (slug, randomArgs) => {
      const { data, error } = await s.run(slug, randomArgs as Record<string, unknown>)
      assert.ok(
        typeof data === 'object' &&
          data !== null &&
          !Array.isArray(data) &&
          (error === null || typeof error === 'string'),
      )
      assert.ok(!/our side|database/i.test(error ?? ''), error ?? '')
    }),
    { numRuns: 40 },
  )
}

async function checkConnections({ s }: MetaTools): Promise<void> {
  s.accounts = [s.account('mail'), s.account('chat', { id: 'ca_old', status: 'EXPIRED' })]
  const { data, error } = await s.run('MANAGE_CONNECTIONS', {
    toolkits: ['mail', 'CHAT', 'weather', 'nope', { name: 'mail', action: 'remove', account: 'ca_mail' }],
  })
  assert.deepEqual(
    [error, data.summary],
    [null, { total_toolkits: 5, active_connections: 2, initiated_connections: 1, failed_connections: 2 }],
  )
  assert.deepEqual(
    [data.results.mail.connected_account_id, data.results.chat.connected_account_id, s.links.at(-1)],
    ['ca_mail', 'ca_old', { toolkit: 'chat', again: 'ca_old' }],
  )
  assert.match(data.results['mail:ca_mail'].error_message, /needs a session with several accounts/)
  const again = await s.run('MANAGE_CONNECTIONS', { toolkits: ['mail'], reinitiate_all: true })
  assert.deepEqual(
    [
      again.data.results.mail.status,
      again.data.results.mail.was_reinitiated,
      again.data.results.mail.has_active_connection,
    ],
    ['initiated', true, true],
  )
  await checkSeveralAccounts({ s })
}

async function checkSeveralAccounts({ s }: Pick<MetaTools, 's'>): Promise<void> {
  const many = { multi_account: { enable: true, require_explicit_selection: true } }
  s.accounts = [
    s.account('mail', { alias: 'work' }),
    s.account('mail', { id: 'ca_two', word_id: 'two' }),
    s.account('mail', { id: 'ca_theirs', user_id: 'u2' }),
  ]
  const several = await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'fetch emails' }] }, many)
  const [status] = several.data.toolkit_connection_statuses
  assert.deepEqual(
    [status.account_selection, status.accounts.map(({ id, is_default }: any) => [id, is_default])],
    [
      'required',
      [
        ['ca_mail', true],
        ['ca_two', false],
      ],
    ],
  )
  const must = await s.run(
    'MULTI_EXECUTE_TOOL',
    { tools: [{ tool_slug: 'MAIL_FETCH_EMAILS', arguments: {} }], sync_response_to_workbench: false },
    many,
  )
  assert.match(must.data.results[0].error, /pass "account" with one of: word_mail \(work\), two/)
  const act = async (wish: Record<string, unknown>, config: object = many) =>
    (await s.run('MANAGE_CONNECTIONS', { toolkits: [wish] }, config)).data.results.mail
  assert.equal((await act({ name: 'mail', action: 'list' })).accounts.length, 2)
  assert.equal((await act({ name: 'mail', action: 'rename', account: 'two', alias: 'home' })).alias, 'home')
  assert.deepEqual(s.changed, ['ca_two=home'])
  assert.match(
    (await act({ name: 'mail', action: 'remove', account: 'ca_theirs' })).error_message,
    /Pass account with one of: word_mail \(work\), two/,
  )
  assert.match(
    (
      await act(
        { name: 'mail', action: 'remove', account: 'two' },
        { ...many, manage_connections: { enable_connection_removal: false } },
      )
    ).error_message,
    /may not remove/,
  )
  assert.deepEqual(
    [(await act({ name: 'mail', action: 'remove', account: 'two' })).status, s.accounts.map(({ id }) => id)],
    ['active', ['ca_mail', 'ca_theirs']],
  )
  assert.equal((await act({ name: 'mail', action: 'add' })).status, 'initiated', 'one more')
  assert.equal((await act({ name: 'mail' })).status, 'active')
}

async function checkWait({ s }: MetaTools): Promise<void> {
  s.accounts = [s.account('mail'), s.account('chat', { status: 'INITIATED' })]
  const before = s.now
  const late = await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat', 'nope'] })
  assert.deepEqual(
    [
      s.now - before,
      late.error,
      late.data.results.chat.status,
      late.data.results.mail.status,
      late.data.results.nope.status,
    ],
    [45_000, null, 'INITIATED', 'ACTIVE', 'NOT_FOUND'],
  )
  assert.match(late.data.message, /^Still waiting for the user: chat/)
  assert.match(
    (await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat'], mode: 'any' })).data.message,
    /^Connected: mail/,
  )
  s.accounts = [s.account('mail'), s.account('chat')]
  assert.equal(
    (await s.run('WAIT_FOR_CONNECTIONS', { toolkits: ['mail', 'chat', 'weather'] })).data.message,
    'All connected',
  )
  assert.equal(s.now - before, 45_000)
}
