import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../platform/http/api-error.ts'
import { startMetaTools, type MetaTools } from '#fixtures/meta-tools-session.ts'

test('meta tools: search and schemas', async (t) => {
  const fixture = await startMetaTools(t)
  await t.test(
    'meta tool search: returns a result per query, full schemas of primary tools, plans, connection statuses and ' +
      'next steps',
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
    'meta tools: invalid arguments, even a megabyte of them, return an error that says how to fix them',
    () => checkInvalidArguments(fixture),
  )

  await t.test('meta tools: random arguments always return an object', () => checkRandomArguments(fixture))
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
  checkQueryResults(data)
  checkConnectionStatuses(data)
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

function checkQueryResults(data: any): void {
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
}

function checkConnectionStatuses(data: any): void {
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

async function checkRandomArguments({ connect, s }: MetaTools): Promise<void> {
  connect('mail')
  s.answer = async () => ({ data: {}, error: null, successful: true })
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
