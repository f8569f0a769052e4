import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LATEST_VERSION } from '../../../catalog/index.ts'
import { type RecipeProgram, parseProgram } from './parse-program.ts'
import { type CallTool, runProgram } from './run-program.ts'
import { CATALOG, CODE, signal } from '#fixtures/recipes.ts'

const find = (slug: string) => CATALOG.tool(slug, LATEST_VERSION)

const program = (json: unknown): RecipeProgram => {
  const read = parseProgram(JSON.stringify(json), find)
  assert.ok('program' in read, JSON.stringify(read))
  return read.program
}

const ok = (data: Record<string, unknown>) => ({ data, error: null, successful: true, logId: 'log_1' })

/** Finds everybody but `nobody`, and sends to everybody. */
const call: CallTool = async (tool, args) => {
  if (tool !== 'SHOP_FIND') return ok({ sent: args['to'] })
  if (args['query'] === 'nobody') return { data: {}, error: 'none', successful: false, logId: 'log_2' }
  return ok({ id: `id-${String(args['query'])}`, name: args['query'] })
}

test('recipes: steps run in order, and an error names the failed step', async () => {
  const calls: unknown[] = []
  const outcome = await runProgram(
    program(CODE),
    { names: ['ada', 'nobody', 'bob'], text: 'hi' },
    (tool, args, ...more) => {
      calls.push([tool, args])
      return call(tool, args, ...more)
    },
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
  await checkTemplates(call)
})

const LIST_INPUT = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'string' } } },
}
const ONE_LIST = {
  steps: [{ id: 'a', tool: 'SHOP_FIND', arguments: { query: 'x' }, for_each: { $: 'inputs.list' } }],
  inputs: LIST_INPUT,
}

test('recipes: a list has at most 100 items, and a run makes at most 200 calls', async () => {
  const one = program(ONE_LIST)
  for (const [list, error] of [
    ['no list', /for_each is not a list/],
    [Array(101).fill('x'), /101 items/],
  ] as const)
    assert.match((await runProgram(one, { list }, call, signal, String)).error!, error)
  assert.deepEqual((await runProgram(one, { list: [] }, call, signal, String)).data, { result: [] })
  const three = program({
    ...one,
    inputs: LIST_INPUT,
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
})

test('recipes: at most 5 items of a list run at a time, and nothing continues after the response', async () => {
  const one = program(ONE_LIST)
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
  assert.deepEqual([most <= 5, underWay], [true, 0])
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

async function checkTemplates(call: CallTool): Promise<void> {
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
}

test('recipes: regular expressions are rejected in every schema of the inputs', () => {
  const unsafe = { type: 'string', pattern: '(a+)+$' }
  for (const inputs of [
    { properties: { a: unsafe } },
    { dependentSchemas: { a: unsafe } },
    { dependencies: { a: unsafe } },
    { unevaluatedProperties: unsafe },
    { properties: { a: { type: 'array', unevaluatedItems: unsafe } } },
  ]) {
    const steps = [{ id: 'a', tool: 'SHOP_FIND', arguments: { query: 'x' } }]
    const read = parseProgram(JSON.stringify({ steps, inputs: { type: 'object', ...inputs } }), find)
    assert.match(JSON.stringify(read), /`pattern` is not supported/, JSON.stringify(inputs))
  }
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
