import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogFromSources, LATEST_VERSION } from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { sql } from '../../../platform/db/sql.ts'
import { metaStage } from '#fixtures/meta-tools.ts'
import { type RecipeProgram, parseProgram } from './parse-program.ts'
import { type CallTool, runProgram } from './run-program.ts'

const input = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
  required: names.slice(0, 1),
})
const CATALOG = catalogFromSources([
  sampleSource({}, [
    sampleTool({
      slug: 'SHOP_FIND',
      name: 'Find things',
      input: input('query'),
      request: { method: 'GET', path: '/find', query: ['query'] },
    }),
    sampleTool({
      slug: 'SHOP_POST',
      name: 'Post things',
      effect: 'create',
      input: input('to', 'text'),
      request: { method: 'POST', path: '/post', body: ['to', 'text'] },
    }),
  ]),
])
const find = (slug: string) => CATALOG.tool(slug, LATEST_VERSION)
const CODE = {
  inputs: {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, description: 'Whom to tell.' },
      text: { type: 'string', description: 'What.', default: 'hello' },
    },
    required: ['names'],
  },
  steps: [
    {
      id: 'found',
      tool: 'shop_find',
      arguments: { query: '{item}' },
      for_each: { $: 'inputs.names' },
      on_error: 'continue',
    },
    {
      id: 'sent_mails',
      tool: 'SHOP_POST',
      arguments: { to: { $: 'item.id' }, text: 'Dear {item.name}: {inputs.text}' },
      for_each: { $: 'found' },
      when: { $: 'item.id' },
    },
  ],
  output: { first: { $: 'found[0].id' }, sent_mails: { $: 'sent_mails' } },
}
const program = (json: unknown): RecipeProgram => {
  const read = parseProgram(JSON.stringify(json), find)
  assert.ok('program' in read, JSON.stringify(read))
  return read.program
}
const { signal } = new AbortController()
const ok = (data: Record<string, unknown>) => ({ data, error: null, successful: true, logId: 'log_1' })

test('recipes: steps run in order, lists a few items at a time, and an error names the failed step', async () => {
  const calls: unknown[] = []
  const call: CallTool = async (tool, args) => {
    calls.push([tool, args])
    if (tool === 'SHOP_FIND' && args['query'] === 'nobody')
      return { data: {}, error: 'none', successful: false, logId: 'log_2' }
    return ok(
      tool === 'SHOP_FIND'
        ? { id: `id-${String(args['query'])}`, name: args['query'] }
        : { sent: args['to'] },
    )
  }
  const outcome = await runProgram(
    program(CODE),
    { names: ['ada', 'nobody', 'bob'], text: 'hi' },
    call,
    signal,
    String,
  )
  assert.deepEqual(outcome, {
    data: { first: 'id-ada', sent_mails: [{ sent: 'id-ada' }, null, { sent: 'id-bob' }] },
    error: null,
  })
  assert.deepEqual(calls.slice(3), [
    ['SHOP_POST', { to: 'id-ada', text: 'Dear ada: hi' }],
    ['SHOP_POST', { to: 'id-bob', text: 'Dear bob: hi' }],
  ])
  const stopped = await runProgram(
    program({
      steps: [
        { id: 'a', tool: 'SHOP_FIND', arguments: { query: 'ada' } },
        { id: 'b', tool: 'SHOP_FIND', arguments: { query: 'nobody' } },
        { id: 'c', tool: 'SHOP_FIND', arguments: { query: 'never' } },
      ],
    }),
    {},
    call,
    signal,
    String,
  )
  assert.deepEqual(stopped, {
    data: { completed_steps: ['a'], failed_step: 'b' },
    error: 'Stopped at step "b" (SHOP_FIND): none',
    stopped: { values: { a: { id: 'id-ada', name: 'ada' } }, items: {} },
  })
  const one = program({
    steps: [{ id: 'a', tool: 'SHOP_FIND', arguments: { query: 'x' }, for_each: { $: 'inputs.list' } }],
    inputs: { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } },
  })
  for (const [list, error] of [
    ['no list', /for_each is not a list/],
    [Array(101).fill('x'), /101 items/],
  ] as const)
    assert.match((await runProgram(one, { list }, call, signal, String)).error!, error)
  assert.deepEqual((await runProgram(one, { list: [] }, call, signal, String)).data, { result: [] })
  const three = program({
    ...one,
    inputs: { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } },
    steps: ['a', 'b', 'c'].map((id) => ({
      id,
      tool: 'SHOP_FIND',
      arguments: { query: 'x' },
      for_each: { $: 'inputs.list' },
      on_error: 'continue',
    })),
    output: undefined,
    tools: undefined,
  })
  assert.match(
    (await runProgram(three, { list: Array(90).fill('x') }, call, signal, String)).error!,
    /may make 200 calls/,
  )
  const ownList = program({
    inputs: { type: 'object', properties: { who: { type: 'string' } } },
    steps: [
      { id: 'a', tool: 'SHOP_FIND', arguments: { query: { $: 'inputs.who' } } },
      { id: 'b', tool: 'SHOP_FIND', arguments: { query: { $: 'a.list' } } },
    ],
    output: { list: { $: 'a.list' } },
  })
  const filling: CallTool = async (_tool, args) => {
    if (Array.isArray(args['query'])) args['query'].push('filled in')
    return ok({ list: ['own'] })
  }
  assert.deepEqual((await runProgram(ownList, { who: 'x' }, filling, signal, String)).data, { list: ['own'] })
  const key = (output: unknown) =>
    program({
      inputs: { type: 'object', properties: { pem: { type: 'string' } } },
      steps: [{ id: 'a', tool: 'SHOP_FIND', arguments: { query: 'x' } }],
      output,
    })
  assert.match(
    (
      await runProgram(
        key({ at: '{inputs.pem | public_key_sha256}' }),
        { pem: 'no key' },
        call,
        signal,
        String,
      )
    ).error!,
    /^The output of the recipe failed: a value could not be computed/,
  )
  let most = 0
  let underWay = 0
  const failing: CallTool = async () => {
    most = Math.max(most, ++underWay)
    await Promise.resolve()
    underWay--
    throw new Error('down')
  }
  assert.match(
    (await runProgram(one, { list: Array(20).fill('x') }, failing, signal, () => 'sent_mails')).error!,
    /sent_mails$/,
  )
  assert.deepEqual([most <= 5, underWay], [true, 0], 'nothing continues after the response')
  const gone = new AbortController()
  await assert.rejects(
    runProgram(
      one,
      { list: ['x'] },
      async () => {
        gone.abort()
        throw new Error('x')
      },
      gone.signal,
      String,
    ),
    { name: 'AbortError' },
  )
})

test('recipes: problems of the code are listed by path, also for hostile code', () => {
  const step = { id: 'a', tool: 'SHOP_FIND', arguments: { query: 'x' } }
  const cases: [unknown, RegExp][] = [
    ['print("hi")', /is not a JSON object.*or Python/],
    [[], /is not a JSON object/],
    [{ steps: [] }, /\/steps: must be a list/],
    [{ steps: [step], code: 1 }, /\/code: is not known/],
    [{ steps: [{ ...step, retry: 1 }] }, /\/steps\/0\/retry/],
    [{ steps: [step, step] }, /\/steps\/1\/id/],
    [{ steps: [{ ...step, id: 'inputs' }] }, /\/steps\/0\/id/],
    [{ steps: [{ ...step, tool: 'SERVICE_SEARCH_TOOLS' }] }, /is not a tool of this session/],
    [{ steps: [{ ...step, arguments: {} }] }, /query: is required by SHOP_FIND/],
    [{ steps: [{ ...step, arguments: { query: 'x', what: 1 } }] }, /what: is not an argument of SHOP_FIND/],
    [{ steps: [{ ...step, arguments: { query: { $: 'b.id' } } }] }, /b\.id/],
    [{ steps: [{ ...step, arguments: { query: '{item}' } }] }, /`item` is not known here/],
    [{ steps: [{ ...step, arguments: { query: '{a' } }] }, /\/steps\/0\/arguments/],
    [{ steps: [{ ...step, on_error: 'retry' }] }, /on_error/],
    [{ steps: [step], inputs: { type: 'string' } }, /\/inputs/],
    [
      { steps: [step], inputs: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } } },
      /`pattern` is not supported/,
    ],
    [
      {
        steps: [step],
        inputs: JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(200)}{}${'}}'.repeat(200)}`),
      },
      /nested too deep/,
    ],
  ]
  for (const [json, expectedFault] of cases) {
    const read = parseProgram(typeof json === 'string' ? json : JSON.stringify(json), find)
    assert.match(
      'problems' in read ? read.problems.join('\n') : 'none',
      expectedFault,
      JSON.stringify(json).slice(0, 200),
    )
  }
  assert.ok('problems' in parseProgram(`{"steps":${'['.repeat(40_000)}${']'.repeat(40_000)}}`, find))
  assert.ok('problems' in parseProgram('x'.repeat(200_000), find))
  assert.deepEqual(({} as { polluted?: boolean }).polluted, undefined)
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.json(), (whole, steps) => {
      for (const text of [
        whole,
        `{"steps":${steps}}`,
        `{"steps":[{"id":"a","tool":"SHOP_FIND","arguments":${steps}}]}`,
      ])
        assert.ok(parseProgram(text, find))
    }),
    { numRuns: 150 },
  )
})

test('recipes: are saved in versions, found by search and run as one tool, only for their user', async (t) => {
  const s = await metaStage(t, CATALOG)
  s.accounts = [s.account('shop')]
  const save = (more: Record<string, unknown> = {}, scope = {}) =>
    s.run(
      'UPSERT_RECIPE',
      {
        recipe_slug: 'tell_people',
        name: 'Tell people',
        description: 'Finds people by name and tells each of them a text.',
        recipe_code: JSON.stringify(CODE),
        ...more,
      },
      scope,
    )
  const { data, error } = await save()
  assert.deepEqual(
    [
      error,
      data.created,
      data.recipe.version,
      data.recipe.recipe_slug,
      data.recipe.tool_slug,
      data.recipe.toolkits,
    ],
    [null, true, 1, 'TELL_PEOPLE', 'RECIPE_TELL_PEOPLE', ['shop']],
  )
  assert.deepEqual(
    [
      (await save()).data.recipe.version,
      (await save({ name: 'Tell them', description: undefined })).data.recipe.version,
    ],
    [1, 2],
  )
  const got = await s.run('GET_RECIPE', { recipe_slug: 'recipe_tell_people' })
  assert.deepEqual(
    [got.data.recipe.name, got.data.recipe.version, got.data.recipe.recipe_code],
    ['Tell them', 2, JSON.stringify(CODE)],
  )
  assert.deepEqual(await s.run('GET_RECIPE', { recipe_slug: 'NONE' }), {
    data: {},
    error: 'Execution failed for BRAND_GET_RECIPE: Tool NONE not found',
  })
  for (const wrong of [{ recipe_slug: 'a b c' }, { recipe_code: '{}' }, { recipe_slug: 'X'.repeat(60) }])
    assert.notEqual((await save(wrong)).error, null)

  const found = await s.run('SEARCH_TOOLS', {
    queries: [{ use_case: 'tell each of several people a text by name' }],
  })
  assert.deepEqual(found.data.results[0].primary_tool_slugs[0], 'RECIPE_TELL_PEOPLE')
  assert.deepEqual(
    [
      found.data.tool_schemas.RECIPE_TELL_PEOPLE.input_schema.required,
      found.data.toolkit_connection_statuses.map(({ toolkit }: any) => toolkit),
    ],
    [['names'], ['shop']],
  )
  assert.ok(
    (await s.run('GET_TOOL_SCHEMAS', { tool_slugs: ['RECIPE_TELL_PEOPLE'] })).data.tool_schemas
      .RECIPE_TELL_PEOPLE.input_schema,
  )
  s.answer = async ({ toolSlug, arguments: args }) => ({
    data: toolSlug === 'SHOP_FIND' ? { id: 'i', name: args['query'] } : { said: args['text'] },
    error: null,
    successful: true,
  })
  const run = async (args: unknown, scope = {}) =>
    (
      await s.run(
        'MULTI_EXECUTE_TOOL',
        { tools: [{ tool_slug: 'recipe_tell_people', arguments: args }], sync_response_to_workbench: false },
        scope,
      )
    ).data.results[0]
  assert.deepEqual((await run({ names: ['ada'] })).response.data, {
    first: 'i',
    sent_mails: [{ said: 'Dear ada: hello' }],
  })
  const [row] = s.rows
  assert.deepEqual(
    [row!.toolSlug, row!.version, row!.parentId, row!.successful, JSON.parse(row!.payload!).arguments],
    ['RECIPE_TELL_PEOPLE', '2', 'log_meta', true, { names: ['ada'], text: 'hello' }],
  )
  assert.deepEqual(
    s.executed.map(({ parent: within }) => within?.logId),
    [row!.id, row!.id],
  )
  const direct = await (
    await s.scope({}, { storePayloads: false })
  ).execute('RECIPE_TELL_PEOPLE', { names: [] }, { signal })
  assert.deepEqual(
    [direct.data, direct.successful, s.rows[1]!.id === direct.logId, s.rows[1]!.payload],
    [{ sent_mails: [] }, true, true, null],
  )
  assert.match((await run({})).error, /names: is required/)

  const hidden = { tools: { shop: { disable: ['SHOP_POST'] } } }
  const others = [await s.scope({}, { userId: 'u2' }), await s.scope({}, { projectId: 'proj_b' }), hidden]
  for (const scope of others) {
    assert.match((await run({ names: ['ada'] }, scope)).error, /not found in this session/)
    assert.ok(
      !JSON.stringify(
        (await s.run('SEARCH_TOOLS', { queries: [{ use_case: 'tell people' }] }, scope)).data,
      ).includes('RECIPE_'),
    )
  }
  assert.notEqual((await s.run('GET_RECIPE', { recipe_slug: 'TELL_PEOPLE' }, others[0])).error, null)
  assert.match(
    (await save({ recipe_slug: 'OTHER' }, hidden)).error!,
    /SHOP_POST is not a tool of this session/,
  )
  s.accounts = []
  assert.match((await run({ names: ['ada'] })).error, /Show the user this link/, 'before its first step')

  const saved = await Promise.all(Array.from({ length: 8 }, (_, n) => save({ description: `Version ${n}.` })))
  assert.deepEqual(new Set(saved.map(({ error: refused }) => refused)), new Set([null]))
  const rows = await s.db.rows<{ version: number }>(sql`select version from recipe_versions order by version`)
  assert.deepEqual(
    rows.map(({ version }) => version),
    Array.from({ length: 10 }, (_, n) => n + 1),
    'no version is lost',
  )
})
