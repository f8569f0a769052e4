import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type TestApp, testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { upstream } from '#fixtures/upstream.ts'
import { sandboxCache } from '../../../../test/sandbox/drivers.ts'
import { catalogFromSources } from '../../../catalog/index.ts'
import { createSession, executeInSession, executeMeta } from '../../../contract/sessions/index.ts'
import { createWasmDriver } from '../../../sandbox/index.ts'

const RUN_MS = 120_000

interface Reply {
  readonly data: Record<string, any>
  readonly error: string | null
}

const catalogOf = (baseUrl: string) =>
  catalogFromSources([
    sampleSource({ slug: 'shop', name: 'Shop', auth: [{ scheme: 'NO_AUTH' }], base_url: baseUrl }, [
      sampleTool({
        slug: 'SHOP_ORDER',
        name: 'Order a thing',
        effect: 'create',
        input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        request: { method: 'POST', path: '/orders', body: ['name'] },
      }),
    ]),
  ])

/** An application that rejects some names, and an app with a session. */
async function openShop(t: TestContext, more: object = {}) {
  const rejected = new Set<string>()
  const orders: string[] = []
  const server = await upstream(t, ({ body }) => {
    const { name } = JSON.parse(body) as { name: string }
    if (rejected.has(name)) return { status: 422, json: { message: `${name} is sold out` } }
    orders.push(name)
    return { json: { ordered: name } }
  })
  const app = await testApp(t, { catalog: catalogOf(server.url), ...more })
  return { rejected, orders, app, ...(await openSession(app, 'ada')) }
}

async function openSession({ call }: TestApp, userId: string) {
  const { body } = await call(createSession, { body: { user_id: userId } })
  const params = { session_id: (body as { session_id: string }).session_id }
  return {
    async save(args: object): Promise<Reply> {
      const body = { slug: 'SERVICE_UPSERT_RECIPE', arguments: args } as never
      return (await call(executeMeta, { params, body })).body as unknown as Reply
    },
    async run(slug: string, args: object): Promise<Reply> {
      const body = { tool_slug: slug, arguments: args } as never
      return (await call(executeInSession, { params, body })).body as unknown as Reply
    },
  }
}

const STEPS = {
  inputs: {
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' }, description: 'What to order.' } },
    required: ['names'],
  },
  steps: [
    { id: 'first', tool: 'SHOP_ORDER', arguments: { name: 'box' } },
    { id: 'all', tool: 'SHOP_ORDER', arguments: { name: { $: 'item' } }, for_each: { $: 'inputs.names' } },
  ],
  output: { first: { $: 'first.ordered' }, all: { $: 'all' } },
}

test('recipes: a run that stopped continues at the step and the item that failed', async (t) => {
  const { rejected, orders, app, save, run } = await openShop(t)
  const { error: saved } = await save({
    recipe_slug: 'ORDER_ALL',
    name: 'Order all',
    recipe_code: JSON.stringify(STEPS),
  })
  assert.equal(saved, null)
  rejected.add('lid')
  const stopped = await run('RECIPE_ORDER_ALL', { names: ['cup', 'lid', 'pot'] })
  assert.match(stopped.error!, /Stopped at step "all".*sold out/)
  const { run_id: id, next_step: nextStep } = stopped.data
  assert.match(id, /^rrn_/)
  assert.match(nextStep, /RECIPE_ORDER_ALL with \{"resume_run_id": "rrn_/)

  const stranger = await openSession(app, 'ada')
  const foreign = await stranger.run('RECIPE_ORDER_ALL', { resume_run_id: id })
  assert.match(foreign.error!, /is not a stopped run of this session/)

  const before = [...orders]
  const again = await run('RECIPE_ORDER_ALL', { resume_run_id: id })
  assert.match(again.error!, /sold out/)
  assert.deepEqual(orders, before, 'what was ordered is not ordered again')
  rejected.clear()
  const resumed = await run('RECIPE_ORDER_ALL', { resume_run_id: again.data['run_id'] })
  assert.equal(resumed.error, null)
  assert.deepEqual(resumed.data, {
    first: 'box',
    all: [{ ordered: 'cup' }, { ordered: 'lid' }, { ordered: 'pot' }],
  })
  assert.deepEqual([...orders].sort(), ['box', 'cup', 'lid', 'pot'], 'each one is ordered once')
  assert.match((await run('RECIPE_ORDER_ALL', { resume_run_id: id })).error!, /was continued already/)
})

test('recipes: two concurrent calls do not continue the same run', async (t) => {
  const { rejected, orders, save, run } = await openShop(t)
  await save({ recipe_slug: 'ORDER_ALL', name: 'Order all', recipe_code: JSON.stringify(STEPS) })
  rejected.add('lid')
  const stopped = await run('RECIPE_ORDER_ALL', { names: ['lid'] })
  rejected.clear()
  const args = { resume_run_id: stopped.data['run_id'] }
  const both = await Promise.all([run('RECIPE_ORDER_ALL', args), run('RECIPE_ORDER_ALL', args)])
  assert.equal(both.filter(({ error }) => error === null).length, 1)
  assert.deepEqual(orders, ['box', 'lid'])
})

const PYTHON = `
prefix = step("prefix", lambda: "a " + inputs["kind"])
first = step("first", run_tool, "SHOP_ORDER", {"name": prefix + " box"})
second = step("second", run_tool, "SHOP_ORDER", {"name": "lid"})
output = {"first": first["data"]["ordered"], "second": second["data"]["ordered"]}
`

test('recipes: Python has inputs, helpers and steps, and continues where it stopped', async (t) => {
  const driver = createWasmDriver({
    cacheDir: sandboxCache(),
    brand: 'service',
    fileBytesMax: 10_000_000,
    diskBytesMax: 50_000_000,
    cpuSecondsMax: 300,
  })
  const limits = { idleMs: 600_000, maxAgeMs: 86_400_000, sandboxesMax: 4, warm: 0 }
  const { rejected, orders, save, run } = await openShop(t, {
    workbench: { driver, limits, mountBytesMax: 200_000, timeoutMs: RUN_MS },
    files: temporaryFiles(t),
  })
  const recipe = { recipe_slug: 'ORDER_KIND', name: 'Order a kind', recipe_code: PYTHON }
  const schema = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }
  const invalid = await save({ ...recipe, recipe_code: 'output = (' })
  assert.match(invalid.error!, /not saved\. recipe_code is not valid Python: .*line 1/)
  const saved = await save({ ...recipe, input_schema: schema })
  assert.deepEqual([saved.error, saved.data['recipe'].toolkits], [null, ['shop']], JSON.stringify(saved))
  assert.deepEqual(saved.data['recipe'].input_schema.required, ['kind'])
  assert.match((await run('RECIPE_ORDER_KIND', {})).error!, /kind: is required/)

  rejected.add('lid')
  const stopped = await run('RECIPE_ORDER_KIND', { kind: 'red' })
  assert.match(stopped.error!, /Stopped at step "second" \(line 4\): RuntimeError: .*sold out/)
  assert.deepEqual(stopped.data['completed_steps'], ['prefix', 'first'])
  rejected.clear()
  const resumed = await run('RECIPE_ORDER_KIND', { resume_run_id: stopped.data['run_id'] })
  assert.deepEqual([resumed.error, resumed.data], [null, { first: 'a red box', second: 'lid' }])
  assert.deepEqual(orders, ['a red box', 'lid'], 'the completed step is not repeated')
  const cell = await run('SERVICE_REMOTE_WORKBENCH', { code_to_execute: '"output" in globals()' })
  assert.equal(cell.data['results'], 'False', 'the variables of a recipe are not those of the session')
})

test('recipes: Python is rejected where no code runs', async (t) => {
  const { save } = await openShop(t)
  const { error } = await save({ recipe_slug: 'ORDER_KIND', name: 'Order a kind', recipe_code: PYTHON })
  assert.match(error!, /Recipes in Python need the workbench/)
})
