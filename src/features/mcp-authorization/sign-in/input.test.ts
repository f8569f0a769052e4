import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../../platform/db/sql.ts'
import { startSignIn, type SignIn, BACK, challenge, VERIFIER } from '#fixtures/mcp-sign-in.ts'

test('MCP authorization: random input and client secrets', async (t) => {
  const fixture = await startSignIn(t)
  await t.test('MCP authorization: random input to every endpoint never causes a server error', () =>
    checkRandomInput(fixture),
  )

  await t.test(
    'MCP authorization: client secrets are checked, invalid registrations are rejected, and a network registers at ' +
      'most sixty clients per hour',
    () => checkClientSecrets(fixture),
  )
})

/** Forms with fields of the protocol, whose values are random or nearly valid. */
function randomForms({ client, address }: Pick<SignIn, 'client' | 'address'>) {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'authorization_code',
      'refresh_token',
      'code',
      'S256',
      '\0',
      client,
      BACK,
      address(),
      challenge,
      VERIFIER,
      `mac_${'x'.repeat(43)}`,
      `mrt_${'x'.repeat(43)}`,
      `mat_${'x'.repeat(43)}`,
    ),
  )
  return fc.dictionary(
    fc.constantFrom(
      'grant_type',
      'client_id',
      'client_secret',
      'code',
      'code_verifier',
      'redirect_uri',
      'refresh_token',
      'resource',
      'token',
      'response_type',
      'code_challenge',
      'code_challenge_method',
      'state',
      'form_token',
      'key',
      '__proto__',
    ),
    texts,
  )
}

async function checkRandomInput({ client, address, http, post }: SignIn): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      randomForms({ client, address }),
      fc.constantFrom(
        '/oauth/token',
        '/oauth/revoke',
        '/oauth/authorize',
        '/oauth/consent/x',
        '/oauth/consent/mrq_x/key',
        '/oauth/sign_in/x',
        '/oauth/register',
      ),
      fc.jsonValue(),
      async (form, path, json) => {
        const query = new URLSearchParams(form).toString()
        const reply =
          path === '/oauth/authorize'
            ? await http.inject({ url: `${path}?${query}` })
            : path === '/oauth/register'
              ? await http.inject({
                  method: 'POST',
                  url: path,
                  headers: { 'content-type': 'application/json' },
                  payload: JSON.stringify(json),
                })
              : await post(path, form)
        assert.ok(reply.statusCode < 500, `${path} ${query}: ${reply.body.slice(0, 200)}`)
      },
    ),
    { numRuns: 80, seed: 20261121 },
  )
}

async function checkClientSecrets({ register, tokens, http, db }: SignIn): Promise<void> {
  const secret = (await register({ token_endpoint_auth_method: undefined })).json()
  assert.equal(secret.token_endpoint_auth_method, 'client_secret_basic')
  const grant = { grant_type: 'refresh_token', refresh_token: 'mrt_x' }
  const basic = (id: string, value: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${value}`).toString('base64')}`,
  })
  assert.deepEqual(
    [
      (await tokens(grant, basic(secret.client_id, secret.client_secret))).body['error'],
      (await tokens(grant, basic(secret.client_id, 'x'))).body['error'],
      (await tokens({ ...grant, client_id: secret.client_id })).body['error'],
      (await tokens({ ...grant, client_id: secret.client_id, client_secret: secret.client_secret })).body[
        'error'
      ],
    ],
    ['invalid_grant', 'invalid_client', 'invalid_client', 'invalid_grant'],
  )
  assert.deepEqual(
    [
      (await register({ redirect_uris: ['javascript:alert(1)'] })).json().error,
      (
        await http.inject({
          method: 'POST',
          url: '/oauth/register',
          payload: 'x'.repeat(70_000),
          headers: { 'content-type': 'application/json' },
        })
      ).statusCode,
    ],
    ['invalid_redirect_uri', 413],
  )
  await db.run(
    sql`insert into mcp_clients (id, redirect_uris, auth_method, source_hash)
            select 'mcc_' || n, '{http://localhost/}', 'none', (select source_hash from mcp_clients
            limit 1) from generate_series(1, 60) n`,
  )
  const late = await register()
  assert.deepEqual([late.statusCode, late.json().error], [429, 'slow_down'])
}
