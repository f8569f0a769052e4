import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { listTools, readTool } from '../../contract/tools/index.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const text = (description: string) => ({ type: 'string', description })
const INPUT = {
  type: 'object',
  required: ['filter[status]'],
  properties: {
    'filter[status]': text('Which.'),
    note: text('Optional.'),
    labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Labels.' },
  },
}
const FIND = sampleTool({
  slug: 'SHOP_FIND',
  input: INPUT,
  request: { method: 'POST', path: '/find', query: ['filter[status]'], body: ['note', 'labels'] },
})
const MANY = Array.from({ length: 3_000 }, (_, i) => `member_number_${i}`)
const TOO_LARGE = sampleTool({
  slug: 'SHOP_HUGE',
  input: { type: 'object', properties: Object.fromEntries(MANY.map((name) => [name, text('x')])) },
  request: { method: 'POST', path: '/huge', body: MANY },
})

test('schema formats: a list in the format of a vendor leaves out tools that the vendor rejects', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [FIND, TOO_LARGE] })
  const list = async (dialect?: 'openai_strict') =>
    (await s.call(listTools, { query: { toolkit_slug: ['shop'], ...(dialect && { dialect }) } })).body.items
  assert.deepEqual(
    (await list()).map(({ slug }) => slug),
    ['SHOP_FIND', 'SHOP_HUGE'],
  )
  const [found, ...others] = await list('openai_strict')
  assert.deepEqual(others, [])
  assert.deepEqual(found?.input_parameters, {
    type: 'object',
    properties: {
      filter_status: text('Which.'),
      note: { type: ['string', 'null'], description: 'Optional.' },
      labels: { type: ['string', 'null'], description: 'Labels. Give the JSON text of an object.' },
    },
    required: ['filter_status', 'note', 'labels'],
    additionalProperties: false,
  })
})

test('schema formats: reading a tool that the vendor rejects is an error with the reason', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [FIND, TOO_LARGE] })
  const read = (dialect?: string) =>
    s.call(readTool, { params: { tool_slug: 'SHOP_HUGE' }, query: dialect ? ({ dialect } as never) : {} })
  assert.equal((await read()).status, 200)
  const refused = await read('gemini')
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /SHOP_HUGE has no form in gemini .*characters/)
  assert.equal((await read('klingon')).status, 400)
})

test('schema formats: arguments in the format of a vendor run the tool', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [FIND] })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'key' })
  for (const args of [
    { 'filter[status]': 'open', labels: { a: 'b' } },
    { filter_status: 'open', note: null, labels: '{"a":"b"}' },
  ]) {
    const { body } = await s.callTool({ arguments: args }, 'SHOP_FIND')
    assert.equal(body.successful, true, JSON.stringify(body))
    const sent = s.stub.requests.at(-1)
    assert.equal(decodeURIComponent(sent?.url ?? ''), '/find?filter[status]=open')
    assert.deepEqual(JSON.parse(sent?.body ?? ''), { labels: { a: 'b' } })
  }
})
