import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  catalogFromSources,
  compileForFormat,
  SCHEMA_FORMAT_NAMES,
  type JsonSchema,
  LATEST_VERSION,
} from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { containsSecret } from '../../../platform/secret-detection.ts'
import { failureSummary, type BatchItem, runBatch } from './batch/run-batch.ts'
import type { MetaToolDefinition } from './definition.ts'
import { DEFINITIONS } from './definitions.ts'
import { cleanSentences } from './memory/memory.ts'
import { argumentSources, prepareArgumentSources } from './search/argument-sources.ts'
import { preview } from './batch/offload.ts'
import { findPitfalls } from './search/pitfalls.ts'
import { describeDifficulty, knownFieldNames, planCalls } from './search/plan.ts'
import { createToolFinder } from './search/tool-finder.ts'
import { truncateText, fitSchemas } from './search/fit-schemas.ts'

const input = (properties: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required: Object.keys(properties),
})
const tool = (slug: string, more: Record<string, unknown> = {}) =>
  sampleTool({
    slug,
    name: slug.toLowerCase(),
    input: input({}),
    request: { method: 'GET', path: `/${slug.toLowerCase()}` },
    ...more,
  })
const CATALOG = catalogFromSources([
  sampleSource({ rate_limit: { concurrency: 3 } }, [
    tool('SHOP_LIST_TEAMS'),
    tool('SHOP_LIST_CHANNELS', {
      input: input({ team: 'Id of the team; SHOP_LIST_TEAMS answers it.' }),
      request: { method: 'GET', path: '/teams/{team}' },
    }),
    tool('SHOP_FIND_CHANNEL'),
    tool('SHOP_POST', {
      effect: 'create',
      input: input({
        channel: 'Id, from SHOP_FIND_CHANNEL or SHOP_LIST_CHANNELS. SHOP_EDIT changes a message.',
        text: 'What to say.',
      }),
      request: { method: 'POST', path: '/post', body: ['channel', 'text'] },
    }),
    tool('SHOP_EDIT', {
      effect: 'update',
      input: input({ id: 'Any.' }),
      request: { method: 'PATCH', path: '/messages/{id}' },
    }),
    tool('SHOP_LIST_MESSAGES', { request: { method: 'GET', path: '/messages' } }),
    tool('SHOP_SETTLE', {
      effect: 'update',
      idempotent: true,
      tags: ['destructiveHint'],
      request: { method: 'POST', path: '/settle' },
    }),
    tool('SHOP_DROP', {
      effect: 'delete',
      deprecated: { replaced_by: 'SHOP_EDIT', reason: 'Too sharp.' },
      input: input({ id: 'Any.' }),
      request: { method: 'DELETE', path: '/messages/{id}/whole' },
    }),
  ]),
])
const find = (slug: string) => CATALOG.tool(slug, LATEST_VERSION)
const needs = (slug: string) => argumentSources(find(slug)!, CATALOG, find)

test('argument sources: are the read tools in the description, else the list tool of the path, only if visible', () => {
  assert.deepEqual(needs('SHOP_POST'), [
    { argument: 'channel', producers: ['SHOP_FIND_CHANNEL', 'SHOP_LIST_CHANNELS'] },
  ])
  assert.deepEqual(needs('SHOP_EDIT'), [{ argument: 'id', producers: ['SHOP_LIST_MESSAGES'] }])
  assert.deepEqual(
    argumentSources(find('SHOP_POST')!, CATALOG, (slug) =>
      slug === 'SHOP_FIND_CHANNEL' ? undefined : find(slug),
    ),
    [{ argument: 'channel', producers: ['SHOP_LIST_CHANNELS'] }],
  )
  assert.deepEqual(
    argumentSources(find('SHOP_POST')!, CATALOG, () => undefined),
    [],
  )
})

test('search: tools and what plans need of their toolkit are read one at a time, and once', () => {
  const posts = Array.from({ length: 5 }, (_, n) =>
    tool(`SHOP_POST_${n}`, {
      input: input({ id: 'Any.' }),
      request: { method: 'POST', path: '/lists/{id}/posts' },
    }),
  )
  const list = tool('SHOP_LIST', { request: { method: 'GET', path: '/lists' } })
  const inner = catalogFromSources([sampleSource({}, [...posts, list])])
  let reads = 0
  const catalog = Object.create(inner, {
    manifests: {
      value: (...args: Parameters<typeof inner.manifests>) => {
        reads++
        return inner.manifests(...args)
      },
    },
  }) as typeof inner
  const post = catalog.tool('SHOP_POST_0', LATEST_VERSION)!
  assert.equal([...prepareArgumentSources(post, catalog)].length, 6)
  assert.equal([...prepareArgumentSources(post, catalog)].length, 0)
  const sources = argumentSources(post, catalog, (slug) => catalog.tool(slug, LATEST_VERSION))
  assert.deepEqual([sources, reads], [[{ argument: 'id', producers: ['SHOP_LIST'] }], 1])

  const scope = {
    catalog,
    config: {},
    isVisible: () => true,
    find: (slug: string) => catalog.tool(slug, LATEST_VERSION),
  }
  const finder = createToolFinder(scope as never, { custom: [], recipes: [] }, undefined)
  assert.ok([...finder('post to a list')].length >= 5)
})

test('plans: source tools come first, known fields are omitted, and there are no cycles', () => {
  const none = knownFieldNames('')
  const hidden = (slug: string) => (slug === 'SHOP_FIND_CHANNEL' ? undefined : find(slug))
  const plan = planCalls(find('SHOP_POST')!, none, CATALOG, hidden)!
  assert.deepEqual(plan.steps, [
    '[Required] Get `team` of SHOP_LIST_CHANNELS with SHOP_LIST_TEAMS',
    '[Required] Get `channel` of SHOP_POST with SHOP_LIST_CHANNELS',
    '[Required] Call SHOP_POST',
  ])
  assert.match(plan.id, /^[0-9a-f]{32}$/)
  assert.equal(describeDifficulty(plan), 'medium - 3 calls in order')
  assert.deepEqual(planCalls(find('SHOP_POST')!, none, CATALOG, find)!.steps, [
    '[Required] Get `channel` of SHOP_POST with SHOP_FIND_CHANNEL',
    '[Fallback] Or get it with SHOP_LIST_CHANNELS',
    '[Required] Call SHOP_POST',
  ])
  assert.equal(
    planCalls(find('SHOP_POST')!, knownFieldNames('Channel: C1, text=hi'), CATALOG, find),
    undefined,
  )
  assert.equal(describeDifficulty(undefined), 'easy - one call')
  const ring = catalogFromSources([
    sampleSource({}, [
      tool('SHOP_A', { input: input({ b: 'From SHOP_B.' }), request: { method: 'GET', path: '/a/{b}' } }),
      tool('SHOP_B', { input: input({ a: 'From SHOP_A.' }), request: { method: 'GET', path: '/b/{a}' } }),
    ]),
  ])
  assert.deepEqual(
    planCalls(ring.tool('SHOP_A', LATEST_VERSION)!, none, ring, (slug) => ring.tool(slug, LATEST_VERSION))!
      .slugs,
    ['SHOP_B'],
  )
})

test('plans: values of optional arguments and ids within lists are named after what is required', () => {
  const catalog = catalogFromSources([
    sampleSource({}, [
      tool('SHOP_SAVE', {
        effect: 'update',
        input: {
          type: 'object',
          properties: {
            rows: {
              type: 'array',
              items: {
                type: 'object',
                properties: { id: { type: 'string', description: 'From SHOP_ROWS.' } },
              },
            },
            state: { type: 'string', description: 'Id of a state, from SHOP_STATES.' },
            note: { type: 'string', description: 'Text.' },
          },
          required: ['rows'],
        },
        request: { method: 'PATCH', path: '/rows', body: ['rows', 'state', 'note'] },
      }),
      tool('SHOP_ROWS', { request: { method: 'GET', path: '/rows' } }),
      tool('SHOP_STATES', { request: { method: 'GET', path: '/states' } }),
    ]),
  ])
  const findTool = (slug: string) => catalog.tool(slug, LATEST_VERSION)
  const plan = (known: string) =>
    planCalls(findTool('SHOP_SAVE')!, knownFieldNames(known), catalog, findTool)!.steps
  assert.deepEqual(plan(''), [
    '[Required] Get `rows` of SHOP_SAVE with SHOP_ROWS',
    '[Optional] To set `state` of SHOP_SAVE, get it with SHOP_STATES',
    '[Required] Call SHOP_SAVE',
  ])
  assert.equal(
    plan('state: done').some((step) => step.includes('SHOP_STATES')),
    false,
  )
})

test('pitfalls: describe what the toolkit declares', () => {
  const of = (slug: string) => findPitfalls(find(slug)!, needs(slug)).join('\n')
  assert.match(
    of('SHOP_POST'),
    /^Calling SHOP_POST again repeats its effect.*\n`channel` of SHOP_POST must be a value that SHOP_FIND_CHANNEL or SHOP_LIST_CHANNELS returns.*\nShop takes 3 calls/,
  )
  assert.match(of('SHOP_DROP'), /^SHOP_DROP is deprecated: Too sharp; use SHOP_EDIT\.\nSHOP_DROP deletes/)
  assert.match(of('SHOP_SETTLE'), /^SHOP_SETTLE can delete data, depending on its arguments\./)
  assert.equal(of('SHOP_LIST_TEAMS'), 'Shop takes 3 calls of an account at a time; more of them wait.')
})

test('meta tools: input schemas fit every model vendor, and every field has a description', () => {
  for (const definition of Object.values(DEFINITIONS) as MetaToolDefinition[]) {
    for (const schema of [definition.input, definition.multiAccountInput ?? definition.input]) {
      for (const dialect of SCHEMA_FORMAT_NAMES)
        assert.ok(
          'schema' in compileForFormat(definition.slug, schema, dialect),
          `${definition.slug} in ${dialect}: ${JSON.stringify(compileForFormat(definition.slug, schema, dialect))}`,
        )
      for (const [name, member] of Object.entries(
        schema['properties'] as Record<string, { description?: string }>,
      ))
        if (name !== 'session')
          assert.ok(member.description || name === 'model', `${definition.slug}.${name}`)
    }
  }
})

test('schema shortening: removes examples first, then the ends of descriptions, and never an argument', () => {
  const schema = {
    type: 'object',
    title: 'T',
    required: ['title'],
    properties: {
      title: { type: 'string', description: `First. ${'x'.repeat(900)}`, examples: ['e'.repeat(200)] },
      description: { type: 'string', description: 'Short.', enum: ['title'] },
    },
  }
  const within = (bytes: number) => fitSchemas(new Map([['a', schema]]), bytes).get('a')?.schema
  for (const bytes of [10_000, 700, 450, 350]) {
    const shortened = within(bytes)!
    assert.ok(JSON.stringify(shortened).length <= bytes && !('title' in shortened), `${bytes}`)
    assert.deepEqual(
      [shortened['required'], Object.keys(shortened['properties'] as object)],
      [['title'], ['title', 'description']],
    )
  }
  assert.equal(within(60), undefined)
  const small = { type: 'object', properties: { a: { type: 'string', description: 'Small.' } } }
  const both = fitSchemas(
    new Map<string, JsonSchema>([
      ['large', schema],
      ['small', small],
    ]),
    500,
  )
  assert.deepEqual([both.get('small')!.schema, both.size], [small, 2], 'the largest gives way')
  assert.deepEqual(
    [
      ...fitSchemas(
        new Map<string, JsonSchema>([
          ['large', schema],
          ['small', small],
        ]),
        150,
      ).keys(),
    ],
    ['small'],
  )
  assert.equal(truncateText('One sentence. And another one.', 20), 'One sentence.')
})

test('batch: items run concurrently, results keep their order, and a bad or too large item fails alone', async () => {
  const { signal } = new AbortController()
  let underWay = 0
  let most = 0
  const seen: AbortSignal[] = []
  const items: BatchItem[] = Array.from({ length: 50 }, (_, n) => ({ tool_slug: `T_${n}`, arguments: { n } }))
  const results = await runBatch(
    items,
    async ({ arguments: { n } }, stop) => {
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay--
      if (Number(n) % 10 === 3)
        return new Promise(() => {
          seen.push(stop)
        })
      if (n === 4) return { reason: 'no', data: { redirect_url: 'http://x' }, logId: 'log_1' }
      if (n === 5) return { reason: 'not there' }
      return {
        data: n === 6 ? { text: 'x'.repeat(3_000) } : { n },
        error: n === 7 ? 'bad' : null,
        successful: n !== 7,
        logId: `log_${n}`,
      }
    },
    signal,
    { itemMs: 40, bytesMax: 3_000 },
  )
  assert.deepEqual(
    results.map(({ index, tool_slug: slug }) => `${index}${slug}`),
    items.map(({ tool_slug: slug }, n) => `${n}${slug}`),
  )
  assert.equal(most, 50)
  assert.ok(seen.length === 5 && seen.every(({ aborted }) => aborted), 'calls that take too long are aborted')
  const at = (n: number) => results[n]!
  assert.match(at(13).error!, /^T_13 timed out/)
  assert.deepEqual(
    [at(4).response?.data, at(4).error, at(5).response, at(5).error, at(7).response?.successful, at(7).error],
    [{ redirect_url: 'http://x' }, 'no', null, 'not there', false, 'bad'],
  )
  assert.match(at(6).error!, /left out/)
  assert.equal(failureSummary(results.slice(0, 6)), '3 out of 6 tools failed')
  assert.equal(failureSummary(results.slice(0, 3)), null)
  const gone = new AbortController()
  await assert.rejects(
    runBatch(
      items.slice(0, 1),
      async () => {
        gone.abort()
        return new Promise(() => {})
      },
      gone.signal,
      { itemMs: 60_000, bytesMax: 1 },
    ),
    { name: 'AbortError' },
  )
})

test('offload: a preview has the shape of the data and is marked as truncated', () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, text: 'y'.repeat(50) }))
  const {
    _truncated: isCut,
    rows: first,
    _preview: what,
  } = preview({ rows }, 400) as { _truncated: boolean; rows: typeof rows; _preview: string }
  assert.ok(isCut && first.length > 3 && first.length < 30)
  assert.deepEqual(first[0], rows[0])
  assert.match(what, new RegExp(`begins at rows\\[${first.length}\\]`))
  assert.deepEqual(preview({ a: 1 }, 400), { a: 1 })
})

test('search: the description of a task asks the model for English, with verb, object and application', () => {
  const { use_case: task } = DEFINITIONS.search.input.properties.queries.items.properties
  assert.match(task.description, /in English, as verb, object and application/)
})

test('memory: sentences are one line each, without secrets, and keep ids', () => {
  assert.deepEqual(
    cleanSentences(['The channel #ops is C0123', ' two\n lines ', 'two lines', 7, '', 'x'.repeat(400)]),
    ['The channel #ops is C0123', 'two lines', 'x'.repeat(300)],
  )
  for (const secret of [
    'The password is hunter2',
    'api key: abcd1234',
    'use ghp_0123456789abcdef',
    'token=abcdef',
    'xoxb-1-2-3 works',
    'Bearer abcdefghijk',
  ])
    assert.ok(containsSecret(secret), secret)
  for (const fact of [
    'The sheet is 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
    'Prefers UTC',
    'Team id: 0f3b9a6c71d24e5f8a90b1c2d3e4f506',
  ])
    assert.ok(!containsSecret(fact), fact)
  assert.equal(cleanSentences(Array.from({ length: 90 }, (_, n) => `fact ${n}`)).length, 50)
})
