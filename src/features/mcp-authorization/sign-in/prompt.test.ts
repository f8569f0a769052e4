import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSignIn } from '#fixtures/mcp-sign-in.ts'
import { sql } from '../../../platform/db/sql.ts'

test('MCP authorization: with prompt, a browser that is signed in signs in again; with none, nothing is redirected', async (t) => {
  const { begin, asked, client, signedInBrowser, link, s, decide, exchange } = await startSignIn(t)
  const cookies = await signedInBrowser('ada')
  for (const prompt of ['', 'consent'])
    assert.match((await begin(asked(client, { prompt }), cookies)).page.text, /Allow as ada/, prompt)
  for (const prompt of ['login', 'select_account', 'login consent']) {
    const opened = await begin(asked(client, { prompt }), cookies)
    assert.match(opened.page.text, /Sign in for Shop helper/, prompt)
    const early = await s.visit(opened.at, {
      cookies,
      form: {
        form_token: /form_token" value="([^"]+)/.exec(opened.page.text)![1]!,
        decision: 'allow',
        user: 'ada',
      },
    })
    assert.match(
      early.text,
      /Sign in for Shop helper/,
      'the form of the consent page does not skip the sign-in',
    )
    const { url } = await link({ user_id: 'ada', sign_in_id: new URL(opened.at).pathname.split('/').at(-1) })
    assert.equal((await s.visit(url, { cookies })).location, opened.at)
    const page = await s.visit(opened.at, { cookies })
    assert.match(page.text, /Allow as ada/)
    const back = await decide({ ...opened, page })
    assert.equal((await exchange(new URL(back.location).searchParams.get('code')!)).status, 200)
  }
  for (const [prompt, error] of [
    ['none', 'interaction_required'],
    ['none login', 'invalid_request'],
    ['create', 'invalid_request'],
  ] as const) {
    const { first } = await begin(asked(client, { prompt }), cookies)
    assert.deepEqual(
      [first.status, first.location, first.text.includes(`error=${error}`)],
      [400, '', true],
      prompt,
    )
  }
})

test('MCP authorization: a client that signed in with assertions cannot use its code and tokens without one', async (t) => {
  const { codeFor, exchange, tokens, client, post, listing, db } = await startSignIn(t)
  // A metadata document cannot be served over https here; its client differs from this one only in these columns.
  const code = await codeFor('ada')
  await db.run(sql`update mcp_authorizations set client_auth = 'private_key_jwt'`)
  assert.equal((await exchange(code)).body['error'], 'invalid_client')
  await db.run(sql`update mcp_authorizations set client_auth = 'none'`)
  const issued = (await exchange(code)).body
  await db.run(sql`update mcp_grants set client_auth = 'private_key_jwt'`)
  const refreshed = await tokens({
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: issued['refresh_token'],
  })
  const revoked = await post('/oauth/revoke', { token: issued['access_token'], client_id: client })
  assert.deepEqual([refreshed.body['error'], revoked.json().error], ['invalid_client', 'invalid_client'])
  assert.equal((await listing(issued['access_token']!)).statusCode, 200)
})
