import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const TOKEN = [
  'BEARER_TOKEN',
  { instance_url: 'https://acme.my.salesforce.com', token: 'session-1' },
] as const
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'salesforce', '{instance_url}')

test('a query is one parameter, and the fields of a record are the whole body', async (t) => {
  const { stub, run } = await stand(t)
  const q = "SELECT Id FROM Contact WHERE Name = 'R&D + more'"
  assert.equal((await run('SALESFORCE_QUERY', { q }, ...TOKEN)).successful, true)
  assert.deepEqual(
    [
      stub.requests.at(-1)!.path,
      [...stub.requests.at(-1)!.query],
      stub.requests.at(-1)!.headers.authorization,
    ],
    ['/services/data/v62.0/query', [['q', q]], 'Bearer session-1'],
  )
  stub.answer = () => ({ status: 204, text: '' })
  assert.equal(
    (
      await run(
        'SALESFORCE_UPDATE_RECORD',
        { object: 'Account', id: '001D000000IRFmaIAH', fields: { Name: 'Acme', Phone: null } },
        ...TOKEN,
      )
    ).successful,
    true,
  )
  const { method, path, body } = stub.requests.at(-1)!
  assert.deepEqual(
    [method, path, JSON.parse(body)],
    ['PATCH', '/services/data/v62.0/sobjects/Account/001D000000IRFmaIAH', { Name: 'Acme', Phone: null }],
  )
})

test('an error in a list is reported with its message', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({
    status: 400,
    json: [{ message: 'unexpected token: FORM', errorCode: 'MALFORMED_QUERY' }],
  })
  const { successful, error } = await run('SALESFORCE_QUERY', { q: 'SELECT Id FORM Account' }, ...TOKEN)
  assert.equal(successful, false)
  assert.match(error ?? '', /unexpected token: FORM$/)
})

test('an argument names no other path', async (t) => {
  const { stub, run } = await stand(t)
  for (const args of [
    { object: '../limits', id: '001D000000IRFmaIAH' },
    { object: 'Account', id: '../../../../limits' },
  ])
    assert.equal((await run('SALESFORCE_GET_RECORD', args, ...TOKEN)).successful, false)
  assert.deepEqual(stub.requests, [])
})
