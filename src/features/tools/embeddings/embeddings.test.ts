import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { until } from '#fixtures/until.ts'
import { type Answer, type Recorded, upstream } from '#fixtures/upstream.ts'
import { type Catalog, catalogFromSources } from '../../../catalog/index.ts'
import { listTools } from '../../../contract/tools/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { openAiEmbeddings } from '../../../platform/llm/index.ts'
import { createLog } from '../../../platform/log.ts'
import { createToolEmbeddings } from './index.ts'
import { createRequestVectors } from './request-vectors.ts'
import { removeUnusedVectors } from './store.ts'

const KEY = 'sk-embedding-secret'
const TOPICS = [/refund|their loss/i, /order|purchase/i, /customer|buyer/i, /invoice/i]
const PARAPHRASE = 'cover their loss'

/** The vector of a text: one dimension for each topic, and one that all texts share. */
const vectorOf = (text: string): number[] => [
  ...TOPICS.flatMap((topic) => (topic.test(text) ? [1, 1] : [0.01, -0.01])),
  0.1,
  0.1,
]

const respond = ({ body }: Recorded): Answer => {
  const { input } = JSON.parse(body) as { input: string[] }
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }))
  return { json: { data: data.toReversed() } }
}

const catalogOf = (refundDescription: string): Catalog =>
  catalogFromSources([
    {
      slug: 'shop',
      icon: '<svg/>',
      toolkit: sampleToolkit({ slug: 'shop', name: 'Shop' }),
      tools: {
        tools: [
          sampleTool({ slug: 'SHOP_CREATE_REFUND', name: 'Create refund', description: refundDescription }),
          sampleTool({ slug: 'SHOP_LIST_ORDERS', name: 'List orders', description: 'Lists all the orders.' }),
          sampleTool({
            slug: 'SHOP_GET_CUSTOMER',
            name: 'Get customer',
            description: 'Returns one customer.',
          }),
        ],
      },
    },
  ])

const CATALOG = catalogOf('Reimburses a payment in full.')
const inputsOf = (requests: readonly Recorded[]): string[] =>
  requests.flatMap(({ body }) => (JSON.parse(body) as { input: string[] }).input)

async function start(t: TestContext, respondWith: (request: Recorded) => Answer | Promise<Answer> = respond) {
  const server = await upstream(t, respondWith)
  const model = openAiEmbeddings({
    baseUrl: `${server.url}/v1`,
    model: 'small',
    apiKey: KEY,
    dimensions: undefined,
  })
  const fixture = await testApp(t, { catalog: CATALOG, embeddings: model })
  const { app } = fixture
  const list = fixture.as({ 'x-api-key': fixture.keys.projectApiKey }, 'v3.1')
  const search = async (query: string) => {
    const { status, body } = await list(listTools, { query: { query, explain: true } as never })
    assert.equal(status, 200)
    return { slugs: body.items.map(({ slug }) => slug), explanation: body.explanation! }
  }
  const stored = async () => (await app.db.rows(sql`select model, used_on from tool_embeddings`)).length
  /** Vectors for the instance of another process on the same database. */
  const restart = (catalog: Catalog) => {
    const embeddings = createToolEmbeddings({
      db: app.db,
      model: openAiEmbeddings({
        baseUrl: `${server.url}/v1`,
        model: 'small',
        apiKey: KEY,
        dimensions: undefined,
      }),
      instance: () => catalog,
      wait: async () => {},
      log: createLog('silent'),
      waitMs: 30_000,
    })
    t.after(() => embeddings.close())
    return embeddings
  }
  return { app, server, search, stored, restart }
}

test('embeddings: a paraphrase without a word of a tool finds it, and explain shows the similarity', async (t) => {
  const { server, search, stored } = await start(t)
  await until('the vectors are stored', async () => (await stored()) === 3)
  const { slugs, explanation } = await until('the search uses vectors', async () => {
    const found = await search(PARAPHRASE)
    return found.slugs.length > 0 ? found : undefined
  })
  assert.equal(slugs[0], 'SHOP_CREATE_REFUND')
  assert.ok(explanation.tools[0]!.signals.similarity > 0.3)
  assert.equal(explanation.tools[0]!.signals.words, 0)
  const [first] = server.requests
  assert.deepEqual([first!.path, first!.headers.authorization], ['/v1/embeddings', `Bearer ${KEY}`])
  assert.ok(
    inputsOf(server.requests).some((text) => text.startsWith('Shop: Create refund. Reimburses a payment')),
  )
})

test('embeddings: vectors are made once, and only texts that changed are sent again', async (t) => {
  const { server, search, stored, restart } = await start(t)
  await until('the vectors are stored', async () => (await stored()) === 3)
  await search('orders')
  server.requests.length = 0
  const same = restart(catalogOf('Reimburses a payment in full.'))
  same.prepare()
  await same.idle()
  assert.deepEqual(inputsOf(server.requests), [], 'nothing changed')
  const changed = catalogOf('Reimburses a payment in full or in part.')
  const next = restart(changed)
  next.prepare()
  await next.idle()
  assert.deepEqual(
    inputsOf(server.requests).map((text) => text.slice(0, 19)),
    ['Shop: Create refund'],
  )
  assert.equal(await stored(), 4)
  const similarity = await next.similarityTo('proj_x', changed, PARAPHRASE)
  assert.ok(similarity, 'stored vectors are used')
})

test('embeddings: searches work when the model is down, and no request is sent for a while', async (t) => {
  let isDown = false
  const { server, search, stored } = await start(t, (request) =>
    isDown ? { status: 500, text: `no such key ${KEY}` } : respond(request),
  )
  await until('the vectors are stored', async () => (await stored()) === 3)
  await search('warm up')
  isDown = true
  assert.equal((await search('list orders')).slugs[0], 'SHOP_LIST_ORDERS')
  const sent = server.requests.length
  assert.equal((await search('list all orders')).slugs[0], 'SHOP_LIST_ORDERS')
  assert.equal(server.requests.length, sent)
})

test('embeddings: a search does not wait for a slow model; its vector is used by the next search', async () => {
  let finish = (_: Float32Array[]) => {}
  const vectorOfRequest = createRequestVectors({
    model: {
      name: 'slow',
      embed: () => new Promise<Float32Array[]>((resolve) => (finish = resolve)),
      close: async () => {},
    },
    log: createLog('silent'),
    waitMs: 5,
  })
  assert.equal(await vectorOfRequest('refund'), undefined)
  assert.equal(await vectorOfRequest('other'), undefined)
  finish([Float32Array.of(1, 0)])
  const vector = await until('the late vector is there', () => vectorOfRequest('refund'))
  assert.deepEqual([...vector.values], [1, 0])
})

test('embeddings: responses that are no vectors are rejected, without the key in the message', async (t) => {
  const server = await upstream(t)
  const model = openAiEmbeddings({ baseUrl: server.url, model: 'm', apiKey: KEY, dimensions: 256 })
  t.after(() => model.close())
  const embed = () => model.embed(['one', 'two'], { timeoutMs: 30_000 })
  const vector = Array.from({ length: 9 }, () => 0.5)
  server.answer = () => ({ json: { data: [{ embedding: vector }, { embedding: vector }] } })
  assert.deepEqual(
    (await embed()).map(({ length }) => length),
    [8, 8],
    'an even number of dimensions is used',
  )
  assert.equal((JSON.parse(server.requests[0]!.body) as { dimensions: number }).dimensions, 256)
  const answers: Answer[] = [
    { json: { data: [{ embedding: vector }] } },
    { json: { data: [{ embedding: vector }, { embedding: [...vector, ...vector] }] } },
    { json: { data: [{ embedding: vector }, { embedding: vector.map(() => 0) }] } },
    { json: { data: [{ embedding: vector }, { embedding: vector.map(() => 'x') }] } },
    { json: { data: 'none' } },
    { json: null },
    { text: '['.repeat(1_000) },
    { status: 401, text: `wrong key Bearer ${KEY}` },
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { cut: true },
  ]
  for (const answer of answers) {
    server.answer = () => answer
    await assert.rejects(embed, (error: Error) => {
      assert.equal(error.name, 'ModelError')
      assert.ok(!`${error.message} ${String(error.cause)}`.includes(KEY), String(error.cause))
      return true
    })
  }
})

test('embeddings: a failure while vectors are made is repeated, and unused vectors are removed', async (t) => {
  let failures = 2
  const { app, stored } = await start(t, (request) =>
    failures-- > 0 ? { status: 429, text: 'slow down' } : respond(request),
  )
  await until('the vectors are stored', async () => (await stored()) === 3)
  await app.db.run(sql`
    insert into tool_embeddings (model, text_digest, vector, used_on)
    values ('old', '\\x01', '\\x01', current_date - 31), ('old', '\\x02', '\\x01', current_date - 29)`)
  assert.equal(await removeUnusedVectors(app.db), false)
  assert.deepEqual(
    await app.db.rows(
      sql`select encode(text_digest, 'hex') as digest from tool_embeddings where model = 'old'`,
    ),
    [{ digest: '02' }],
  )
})

test('embeddings: vectors of a project are its own', async (t) => {
  const { app, restart } = await start(t)
  const own = catalogOf('Reimburses a payment of this project.')
  const projectId = (await app.db.one<{ id: string }>(sql`select id from projects limit 1`))!.id
  const embeddings = restart(CATALOG)
  await embeddings.similarityTo(projectId, own, 'refund')
  await embeddings.idle()
  const owners = await app.db.rows<{ project_id: string | null; count: number }>(
    sql`select project_id, count(*)::int as count from tool_embeddings group by 1 order by 1`,
  )
  assert.deepEqual(
    owners.map(({ project_id: id, count }) => [id, count]),
    [
      [projectId, 3],
      [null, 3],
    ],
  )
})
