import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { linkConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const FORM = 'application/x-www-form-urlencoded'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const CALLBACK = '/api/v3/toolkits/auth/callback'
const big = `note=${'x'.repeat(70_000)}`

async function atLink(t: TestContext) {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const { body } = await s.call(linkConnectedAccount, {
    body: { auth_config_id: await s.addAuthConfig('API_KEY'), user_id: 'u1' },
  })
  const link = new URL(body.redirect_url).pathname
  return {
    ...s,
    link,
    ask: (method: string, url: string, headers: Record<string, string> = {}, payload?: string) =>
      s.app.http.inject({
        method: method as 'GET',
        url,
        headers: { accept: BROWSER, 'x-request-id': 'req-7', ...headers },
        ...(payload === undefined ? {} : { payload }),
      }),
  }
}

type Request = [method: string, url: string, headers?: Record<string, string>, body?: string]

/** Status, name, text and request of each failure. */
function failures(link: string): [number, string, RegExp, Request][] {
  const unknown = `/link/lk_${'A'.repeat(32)}`
  return [
    [413, 'form too large', /The form is too large.*64 kB/s, ['POST', link, { 'content-type': FORM }, big]],
    [413, 'callback form too large', /form is too large/, ['POST', CALLBACK, { 'content-type': FORM }, big]],
    [
      415,
      'JSON to a form',
      /Only a form can be sent here/,
      ['POST', link, { 'content-type': 'application/json' }, '{}'],
    ],
    [
      415,
      'JSON to the callback',
      /Only a form/,
      ['POST', CALLBACK, { 'content-type': 'application/json' }, '{}'],
    ],
    [415, 'a body without a type', /Only a form/, ['POST', link, { 'content-type': 'x' }, 'a']],
    [
      403,
      'a form without a cookie',
      /not opened in this browser/,
      ['POST', link, { 'content-type': FORM }, 'a=b'],
    ],
    [404, 'an unknown link', /link does not exist/, ['GET', unknown]],
    [404, 'an unknown short link', /link does not exist/, ['GET', '/api/v3/s/AAAAAAAA']],
    [404, 'an unknown short link of v3.1', /link does not exist/, ['GET', '/api/v3.1/s/AAAAAAAA']],
    [404, 'a link without a token', /page does not exist/, ['GET', '/link/']],
    [404, 'a path below a link', /page does not exist/, ['GET', `${link}/more`]],
    [404, 'another method', /page does not exist/, ['DELETE', link]],
    [404, 'another method at the callback', /page does not exist/, ['PUT', CALLBACK]],
    [400, 'a badly encoded URL', /URL is not valid/, ['GET', '/link/%zz']],
    [
      400,
      'a path part without end',
      /URL is not valid|page does not exist/,
      ['GET', `/api/v3/s/${'a'.repeat(300)}`],
    ],
    [
      400,
      'a callback without a state',
      /response of the provider is incomplete/,
      ['GET', `${CALLBACK}?code=c`],
    ],
    [
      400,
      'a callback with two states',
      /response of the provider is incomplete/,
      ['GET', `${CALLBACK}?state=a&state=b`],
    ],
    [
      404,
      'a callback with an unknown state',
      /link does not exist/,
      ['GET', `${CALLBACK}?code=c&state=${'s'.repeat(43)}`],
    ],
  ]
}

test('failure pages: every error of a browser URL is a page with the next step and the request id', async (t) => {
  const { link, ask } = await atLink(t)
  for (const [status, name, words, request] of failures(link)) {
    const { statusCode, headers, body } = await ask(...request)
    assert.equal(statusCode, status, `${name}: ${body}`)
    assert.match(String(headers['content-type']), /^text\/html/, name)
    assert.match(body, words, name)
    assert.match(
      body,
      /<html lang="en">.*<title>[^<]+<\/title>.*<main><h1>.*Request id <code>req-7<\/code>/s,
      name,
    )
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'none'.*frame-ancestors 'none'/,
      name,
    )
    assert.deepEqual(
      [headers['cache-control'], headers['referrer-policy'], headers['x-request-id']],
      ['no-store', 'no-referrer', 'req-7'],
      name,
    )
    assert.doesNotMatch(body, /lk_|state=|code=|xxxxx/, name)
  }
})

test('failure pages: an internal error is a page without its cause', async (t) => {
  const { link, ask, app } = await atLink(t)
  const connection = app.db.one
  app.db.one = () => {
    throw new Error('password of the database')
  }
  const failed = await ask('GET', link)
  app.db.one = connection
  assert.equal(failed.statusCode, 500)
  assert.match(failed.body, /Something went wrong on this server.*req-7/s)
  assert.doesNotMatch(failed.body, /password of/)
  assert.equal((await ask('GET', link)).statusCode, 200)
})

test('failure pages: clients that accept JSON, and the rest of the API, get a JSON error', async (t) => {
  const { link, ask } = await atLink(t)
  for (const [url, accept] of [
    [`${link}/more`, 'application/json'],
    ['/api/v3/nothing', BROWSER],
    ['/api/v3/sessions', BROWSER],
    ['/api/v3.1/toolkits/nobody', BROWSER],
  ] as const) {
    const { statusCode, headers, body } = await ask('GET', url, { accept })
    assert.ok(statusCode >= 400, url)
    assert.match(String(headers['content-type']), /^application\/json/, url)
    assert.equal(JSON.parse(body).error.request_id, 'req-7', url)
  }
})

test('failure pages: a browser at a URL where nothing is receives a page, a client of the API JSON', async (t) => {
  const { ask } = await atLink(t)
  const page = await ask('GET', '/nowhere')
  assert.deepEqual([page.statusCode, page.headers['content-type']], [404, 'text/html; charset=utf-8'])
  assert.match(page.body, /This page does not exist/)
  assert.match((await ask('GET', '/linked')).body, /This page does not exist/)
  assert.match(page.body, /href="[^"]+\/reference"/)
  assert.doesNotMatch(page.body, /http-equiv="refresh"/, 'the page stays')
  for (const accept of ['application/json', '*/*', 'application/json, text/plain, */*']) {
    const reply = await ask('GET', '/nowhere', { accept })
    assert.equal(reply.json<{ error: { slug: string } }>().error.slug, 'HTTP_NotFound', accept)
  }
})
