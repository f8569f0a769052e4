import assert from 'node:assert/strict'
import test from 'node:test'
import { cli } from '#fixtures/cli.ts'

const view = {
  account: {
    id: 'ca_1',
    status: 'FAILED',
    status_reason: 'The provider did not grant access',
    toolkit: { slug: 'shop' },
    user_id: 'u1',
    auth_config: { id: 'ac_1', auth_scheme: 'OAUTH2' },
    token_expires_at: null,
  },
  items: [
    {
      at: '2026-11-21T09:00:00.000Z',
      kind: 'code',
      outcome: 'trouble',
      code: 'invalid_client',
      duration_ms: 40,
      request: {
        method: 'POST',
        address: 'https://shop.example/token',
        query: {},
        headers: [],
        authorization: null,
        content_type: null,
        body: { grant_type: 'authorization_code', client_secret: '[redacted]' },
      },
      answer: {
        status: 401,
        content_type: 'application/json',
        format: 'json',
        body: { error: 'invalid_client\u001b[2J' },
      },
    },
  ],
  findings: [{ exchange: 0, cause: 'The client is wrong.', field: 'client_auth', fix: 'Set basic.' }],
}

test('doctor connection: requests to the provider, the cause and the fix are shown', async (t) => {
  const { code, out, seen } = await cli(t, { body: view }).run('doctor', 'connection', 'ca_1')
  assert.equal(code, 0)
  assert.deepEqual(
    seen.map(({ url, headers }) => [url.pathname, headers['x-api-key']]),
    [['/api/v3.1/connected_accounts/ca_1/exchanges', 'ak_test']],
  )
  assert.equal(
    out,
    `ca_1  shop, OAUTH2, user u1
status  FAILED: The provider did not grant access

Last requests to the provider, newest first
  1. 2026-11-21T09:00:00.000Z  code: trouble, invalid_client, 40 ms
     sent      POST https://shop.example/token
               grant_type=authorization_code client_secret=[redacted]
     received  401 application/json
               {"error":"invalid_client\\u001b[2J"}

Findings
  ! The client is wrong. (request 1)
    → client_auth: Set basic.
`,
  )
})

test('doctor connection: --json prints the response unchanged, and an unknown account is an error', async (t) => {
  const { out } = await cli(t, { body: view }).run('doctor', 'connection', 'ca_1', '--json')
  assert.deepEqual(JSON.parse(out), view)
  const { code, err } = await cli(t, {
    status: 404,
    body: {
      error: {
        message: 'Connected account "ca_2" not found',
        code: 606,
        slug: 'ConnectedAccount_ResourceNotFound',
        status: 404,
        request_id: 'r',
        suggested_fix: 'x',
        errors: [],
      },
    },
  }).run('doctor', 'connection', 'ca_2')
  assert.equal(code, 1)
  assert.match(err, /ca_2" not found/)
})
