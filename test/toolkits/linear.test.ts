import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const KEY = { generic_api_key: 'lin_api_1' }
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'linear', 'https://api.linear.app')

test('a tool sends its query with the given variables only; a key is sent without a prefix', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({
    json: {
      data: {
        issues: { nodes: [{ identifier: 'ENG-1' }], pageInfo: { hasNextPage: false, endCursor: null } },
      },
    },
  })
  const { successful, data } = await run(
    'LINEAR_LIST_ISSUES',
    { state_types: ['started'], priority: 1 },
    'API_KEY',
    KEY,
  )
  assert.deepEqual(
    [successful, data],
    [true, { nodes: [{ identifier: 'ENG-1' }], pageInfo: { hasNextPage: false, endCursor: null } }],
  )
  const [{ method, url, headers, body }] = stub.requests as [(typeof stub.requests)[number]]
  const { query, variables } = JSON.parse(body) as { query: string; variables: unknown }
  assert.deepEqual([method, url, headers.authorization], ['POST', '/graphql', 'lin_api_1'])
  assert.match(
    query,
    /^query\(\$first: Int, .*\{ issues\(first: \$first, .*pageInfo \{ hasNextPage endCursor \} \} \}$/,
  )
  assert.deepEqual(variables, {
    first: 50,
    orderBy: 'createdAt',
    filter: { state: { type: { in: ['started'] } }, priority: { eq: 1 } },
  })
  await run('LINEAR_LIST_ISSUES', {}, 'BEARER_TOKEN', { token: 'oauth-1' })
  assert.equal(stub.requests.at(-1)!.headers.authorization, 'Bearer oauth-1')
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body).variables, { first: 50, orderBy: 'createdAt' })
})

test('errors that come with 200 are failures with the words for people', async (t) => {
  const { stub, run } = await stand(t)
  for (const [extensions, message] of [
    [
      { code: 'INPUT_ERROR', userPresentableMessage: 'Could not find referenced Issue.' },
      'Could not find referenced Issue.',
    ],
    [{ code: 'FORBIDDEN' }, 'raw words'],
  ] as const) {
    stub.answer = () => ({ json: { data: null, errors: [{ message: 'raw words', extensions }] } })
    const { successful, error } = await run('LINEAR_GET_ISSUE', { issue_id: 'ENG-9' }, 'API_KEY', KEY)
    assert.deepEqual([successful, error], [false, message])
  }
})
