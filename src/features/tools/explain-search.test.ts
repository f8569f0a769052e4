import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { listTools, type SearchExplanation } from '../../contract/tools/index.ts'

const CATALOG = catalogFromSources([
  sampleSource({ name: 'Shopware' }, [
    sampleTool({
      slug: 'SHOP_CREATE_ORDER',
      name: 'Create order',
      description: 'Places an order in the name of a customer.',
      effect: 'create',
      phrases: ['buy something for someone'],
    }),
    sampleTool({ slug: 'SHOP_GET_ORDER', name: 'Get order', description: 'Returns an order of a customer.' }),
    sampleTool({
      slug: 'SHOP_DELETE_CUSTOMER',
      name: 'Delete customer',
      description: 'Removes a customer from the shop.',
      effect: 'delete',
    }),
  ]),
])

async function start(t: TestContext) {
  const app = await testApp(t, { catalog: CATALOG })
  return (query: object) =>
    app.as({ 'x-api-key': app.keys.projectApiKey }, 'v3.1')(listTools, { query: query as never })
}

const sumOf = (signals: SearchExplanation['tools'][number]['signals']): number =>
  Object.values(signals).reduce((sum, value) => sum + value, 0)

test('explain: each tool of the page has its rank, the signals of its score and the words it contains', async (t) => {
  const list = await start(t)
  const { status, body } = await list({ query: 'create an ordre in Shopware', explain: true })
  assert.equal(status, 200)
  const { explanation, items } = body
  assert.ok(explanation)
  assert.deepEqual(
    explanation.tools.map(({ slug }) => slug),
    items.map(({ slug }) => slug),
  )
  const [first, ...others] = explanation.tools
  assert.equal(first!.slug, 'SHOP_CREATE_ORDER')
  assert.equal(first!.rank, 1)
  assert.equal(first!.signals.curated, 0.25)
  assert.ok(others.length > 0 && others.every(({ signals }) => signals.curated === 0))
  assert.ok(first!.signals.application > 0.3, 'the application is named')
  for (const { slug, score, signals } of explanation.tools)
    assert.ok(Math.abs(sumOf(signals) - score) < 0.01, `${slug}: ${JSON.stringify(signals)} is not ${score}`)
  assert.deepEqual(explanation.corrections, [{ from: 'ordre', to: 'order' }])
  const matched = new Map(first!.words.map(({ word, matched }) => [word, matched]))
  assert.deepEqual([matched.get('create'), matched.get('order')], ['creat', 'order'])
  assert.deepEqual(
    explanation.applications.map(({ toolkit_slug: slug }) => slug),
    ['shop'],
  )
  assert.deepEqual(
    [explanation.language, explanation.fit.level, explanation.fit.reason],
    [null, 'good', null],
  )
})

test('explain: translations and misfits are reported, and later pages keep the ranks of the list', async (t) => {
  const list = await start(t)
  const german = (await list({ query: 'Lösche den Kunden', explain: true })).body.explanation!
  assert.deepEqual([german.language, german.tools[0]?.slug], ['de', 'SHOP_DELETE_CUSTOMER'])
  const misfit = (await list({ query: 'post a tweet on Twitter', explain: true })).body.explanation!
  assert.deepEqual([misfit.fit.level, misfit.fit.reason], ['none', 'not_installed'])
  const first = (await list({ query: 'order', explain: true, limit: 1 })).body
  const second = (await list({ query: 'order', explain: true, limit: 1, cursor: first.next_cursor })).body
  assert.deepEqual([first.explanation!.tools[0]!.rank, second.explanation!.tools[0]!.rank], [1, 2])
})

test('explain: without a query it is rejected; without explain there is no explanation', async (t) => {
  const list = await start(t)
  const { status, body } = await list({ explain: true })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /query\.explain/)
  assert.equal('explanation' in (await list({ query: 'order' })).body, false)
  assert.equal('explanation' in (await list({ query: 'order', explain: false })).body, false)
})
