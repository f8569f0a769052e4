import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const AGENT = ['BASIC', { subdomain: 'acme', username: 'jane@example.com', password: 'token-1' }] as const
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'zendesk', 'https://{subdomain}.zendesk.com')

test('an API token is sent with the address of the agent and /token; pages are requested in brackets', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({ json: { tickets: [], meta: { has_more: false, after_cursor: null } } })
  assert.equal(
    (await run('ZENDESK_LIST_TICKETS', { after: 'c1', sort: '-updated_at' }, ...AGENT)).successful,
    true,
  )
  const { path, query, headers } = stub.requests.at(-1)!
  assert.equal(
    Buffer.from(headers.authorization!.replace('Basic ', ''), 'base64').toString(),
    'jane@example.com/token:token-1',
  )
  assert.deepEqual(
    [path, ...query],
    ['/api/v2/tickets.json', ['sort', '-updated_at'], ['page[size]', '25'], ['page[after]', 'c1']],
  )
})

test('a ticket is sent with what was given only, and comes back without its envelope', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({ status: 201, json: { ticket: { id: 7 }, audit: {} } })
  const { data } = await run('ZENDESK_CREATE_TICKET', { comment: 'Help', subject: 'Login' }, 'BEARER_TOKEN', {
    subdomain: 'acme',
    token: 'oauth-1',
  })
  assert.deepEqual(data, { id: 7 })
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), {
    ticket: { comment: { body: 'Help', public: true }, subject: 'Login' },
  })
  assert.equal(stub.requests.at(-1)!.headers.authorization, 'Bearer oauth-1')
  await run('ZENDESK_UPDATE_TICKET', { ticket_id: 7, assignee_id: null }, ...AGENT)
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), { ticket: { assignee_id: null } })
})

test('an error is reported with its message, from every place of the response', async (t) => {
  const { stub, run } = await stand(t)
  for (const [status, json, message] of [
    [404, { error: 'RecordNotFound', description: 'Not found' }, 'Not found'],
    [
      403,
      { error: { title: 'Forbidden', message: 'You do not have access to this page.' } },
      'You do not have access to this page.',
    ],
    [
      422,
      {
        error: 'RecordInvalid',
        description: 'Record validation errors',
        details: { base: [{ description: 'Status: closed prevents ticket update' }] },
      },
      'Status: closed prevents ticket update',
    ],
  ] as const) {
    stub.answer = () => ({ status, json })
    const { successful, error } = await run(
      'ZENDESK_UPDATE_TICKET',
      { ticket_id: 7, status: 'open' },
      ...AGENT,
    )
    assert.equal(successful, false)
    assert.ok(error?.endsWith(message), String(error))
  }
})
