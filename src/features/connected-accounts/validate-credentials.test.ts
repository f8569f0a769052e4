import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../platform/db/sql.ts'
import { API_KEY, BASIC, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

test('create: validate_credentials sends a request to the application and stores only an accepted key', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: ({ headers }) =>
      headers['x-key'] === 'good-key-1'
        ? { json: {} }
        : { status: 401, json: { message: `bad key ${headers['x-key']}` } },
  })
  const config = await s.addAuthConfig('API_KEY')
  const good = await s.connect(
    config,
    { data: { generic_api_key: 'good-key-1' } },
    { validate_credentials: true },
  )
  assert.deepEqual(
    [good.status, good.body.verified, s.stub.requests.map(({ method, path }) => [method, path])],
    [201, true, [['GET', '/me']]],
  )
  const bad = await s.connect(
    config,
    { data: { generic_api_key: 'wrong-key-1' } },
    { validate_credentials: true },
  )
  assert.deepEqual([bad.status, bad.body.error.code], [400, 600])
  assert.match(
    bad.body.error.message,
    /^Shop rejected the credentials: 401 Client Error: Unauthorized - bad key /,
  )
  assert.doesNotMatch(JSON.stringify(bad.body), /wrong-key-1/)
  s.stub.answer = () => ({ status: 503 })
  assert.match(
    (await s.connect(config, { data: { generic_api_key: 'good-key-1' } }, { validate_credentials: true }))
      .body.error.message,
    /^Shop did not validate the credentials/,
  )
  assert.equal((await s.app.db.rows(sql`select id from connected_accounts`)).length, 1)
})

test('create: validate_credentials applies to API keys, and false sends no request', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY, BASIC], answer: () => ({ status: 401 }) })
  assert.equal(
    (
      await s.connect(
        await s.addAuthConfig('BASIC'),
        { data: { username: 'a', password: 'b' } },
        { validate_credentials: true },
      )
    ).body.verified,
    false,
  )
  assert.equal(
    (
      await s.connect(
        await s.addAuthConfig('API_KEY'),
        { data: { generic_api_key: 'kkkkkkkk' } },
        { validate_credentials: false },
      )
    ).status,
    201,
  )
  assert.deepEqual(s.stub.requests, [])
})

test('create: where 403 may mean a missing permission, only 401 rejects a key', async (t) => {
  const status = { 'good-key-1': 200, 'narrow-key-1': 403, 'wrong-key-1': 401 } as Record<string, number>
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, validate: { path: '/items', query: { limit: '1' }, accepts_403: true } }],
    answer: ({ headers }) => ({ status: status[String(headers['x-key'])] ?? 500, json: {} }),
  })
  const config = await s.addAuthConfig('API_KEY')
  const connect = async (key: string) => {
    const { status: code, body } = await s.connect(config, { data: { generic_api_key: key } })
    return [code, body.verified]
  }
  assert.deepEqual(await connect('good-key-1'), [201, true])
  assert.deepEqual(await connect('narrow-key-1'), [201, true])
  assert.deepEqual(await connect('wrong-key-1'), [400, undefined])
  assert.deepEqual(
    s.stub.requests.map(({ method, path, query }) => [method, path, query.toString()]),
    Array.from({ length: 3 }, () => ['GET', '/items', 'limit=1']),
  )
})
