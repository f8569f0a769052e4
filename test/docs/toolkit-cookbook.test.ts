import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  BEARER,
  CLIENT,
  type ConnectedAccountsApp,
  followShortLink,
  type Manifest,
  oauth,
  returnFromProvider,
  startConnectedAccountsApp,
} from '../fixtures/connected-accounts.ts'
import { sampleTool } from '../fixtures/sample-toolkits.ts'
import { type Answer, type Recorded } from '../fixtures/upstream.ts'
import { page } from './markdown.ts'

interface Recipe {
  kind: 'toolkit' | 'scheme' | 'tool'
  manifest: Manifest
}
type Check = (t: TestContext, recipe: Recipe) => Promise<void>

/** Recipes by the heading of their section. */
function readRecipes(): ReadonlyMap<string, Recipe> {
  const { text, blocks } = page('docs/guides/toolkit-cookbook.md')
  const lines = text.split('\n')
  return new Map(
    blocks.map(({ words, text: json, line }) => [
      lines
        .slice(0, line)
        .findLast((one) => one.startsWith('## '))!
        .slice('## '.length),
      { kind: words[0] as Recipe['kind'], manifest: JSON.parse(json) as Manifest },
    ]),
  )
}

/** Starts the sample application with a recipe, and a function that calls its tool with an account. */
async function start(t: TestContext, { kind, manifest }: Recipe, answer: (request: Recorded) => Answer) {
  const scheme = kind === 'scheme' ? manifest : BEARER
  const s = await startConnectedAccountsApp(t, {
    auth: [scheme],
    answer,
    ...(kind === 'toolkit' ? { toolkit: manifest } : {}),
    ...(kind === 'tool' ? { tools: [sampleTool(manifest)] } : {}),
  })
  const authScheme = String(scheme['scheme'])
  const val = { token: 'secret-token', generic_api_key: 'secret-key' }
  await s.addAccount(await s.addAuthConfig(authScheme), authScheme, val)
  s.stub.requests.length = 0
  return s
}

const callOnce = async (s: ConnectedAccountsApp, args: Record<string, unknown> = { id: '7' }) =>
  (await s.callTool({ arguments: args })).body as { data: any; error: string | null; successful: boolean }

const CHECKS: Readonly<Record<string, Check>> = {
  async 'Errors have status 200 and `ok: false`'(t, recipe) {
    let reply: object = { ok: false, error: 'order_missing' }
    const s = await start(t, recipe, () => ({ json: reply }))
    const failed = await callOnce(s)
    assert.deepEqual([failed.successful, failed.error], [false, 'order_missing'])
    reply = { ok: false, error: 'ratelimited' }
    assert.match((await callOnce(s)).error ?? '', /ratelimited/)
    assert.equal(s.stub.requests.length > 2, true, 'a call is repeated after a rate limit')
    reply = { ok: true, id: '7' }
    assert.deepEqual((await callOnce(s)).data, reply)
  },
  async 'Errors are HTML pages'(t, recipe) {
    const html = '<html><body>Down for maintenance</body></html>'
    let headers: Record<string, string> = { 'x-maintenance': 'yes' }
    const s = await start(t, recipe, () =>
      s.stub.requests.length === 1 ? { status: 403, text: html, headers } : { json: { id: '7' } },
    )
    assert.equal((await callOnce(s)).successful, true)
    assert.equal(s.stub.requests.length, 2, 'the read is repeated')
    s.stub.requests.length = 0
    headers = {}
    assert.equal((await callOnce(s)).error, '403 Client Error: Forbidden')
    assert.equal(s.stub.requests.length, 1)
  },
  async 'The rate limit is a 403'(t, recipe) {
    const reset = () => String(Math.ceil(Date.now() / 1_000) + 1)
    const s = await start(t, recipe, () =>
      s.stub.requests.length === 1
        ? { status: 403, json: { error: { reason: 'quota' } }, headers: { 'x-ratelimit-reset': reset() } }
        : { json: { id: '7' } },
    )
    assert.equal((await callOnce(s)).successful, true)
    assert.equal(s.stub.requests.length, 2)
  },
  async 'Ids are numbers in a string'(t, recipe) {
    const s = await start(t, recipe, () => ({ json: {} }))
    await callOnce(s, { id: '9007199254740993' })
    assert.deepEqual(
      s.stub.requests.map(({ path }) => path),
      ['/orders/9007199254740993'],
    )
    assert.match((await callOnce(s, { id: 'first order' })).error ?? '', /id/)
    assert.equal(s.stub.requests.length, 1)
  },
  async 'Pages are in the `Link` header'(t, recipe) {
    const s = await start(t, recipe, ({ query }) => {
      const number = Number(query.get('page') ?? 1)
      const next = `<https://shop.example/orders?page=${number + 1}>; rel="next"`
      return { json: [{ id: number }], ...(number < 3 && { headers: { link: next } }) }
    })
    const { body } = await s.callTool({ arguments: {}, paging: {} })
    assert.deepEqual((body as { data: unknown }).data, { items: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  },
  async 'The result is inside an envelope'(t, recipe) {
    const s = await start(t, recipe, () => ({ json: { payload: { order: { id: '7' } } } }))
    assert.deepEqual((await callOnce(s)).data, { id: '7' })
  },
  async 'The API accepts forms instead of JSON'(t, recipe) {
    const s = await start(t, recipe, () => ({ json: {} }))
    await callOnce(s, { id: 'a b' })
    const [{ headers, body }] = s.stub.requests as [Recorded]
    assert.match(headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
    assert.equal(new URLSearchParams(body).get('id'), 'a b')
  },
  async 'A repeated POST creates duplicates'(t, recipe) {
    const s = await start(t, recipe, () => (s.stub.requests.length === 1 ? { status: 503 } : { json: {} }))
    assert.equal((await callOnce(s)).successful, true)
    const keys = s.stub.requests.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 2)
    assert.ok(keys[0])
    assert.equal(keys[0], keys[1])
  },
  async 'The key belongs in the query string'(t, recipe) {
    const s = await start(t, recipe, () => ({ json: {} }))
    await callOnce(s)
    assert.equal(s.stub.requests[0]!.query.get('api_key'), 'secret-key')
  },
  async 'Tokens expire, but the response has no `expires_in`'(t, { manifest }) {
    const s = await startConnectedAccountsApp(t, {
      auth: (url) => [oauth(url, manifest)],
      answer: () => ({ json: { access_token: 'token-1', refresh_token: 'token-2', token_type: 'Bearer' } }),
    })
    const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT))
    const redirect = await followShortLink(s, (body as { redirect_url: string }).redirect_url)
    const before = Date.now()
    await returnFromProvider(s, { state: redirect.searchParams.get('state')!, code: 'code-1' })
    const row = await s.accountRow((body as { id: string }).id)
    const lifetime = new Date(row['token_expires_at'] as string).getTime() - before
    assert.ok(lifetime > 3_500_000 && lifetime < 3_700_000, `lifetime ${lifetime}`)
  },
}

test('cookbook: every recipe has a check, and every check a recipe', () => {
  assert.deepEqual([...readRecipes().keys()], Object.keys(CHECKS))
})

for (const [heading, recipe] of readRecipes())
  test(`cookbook: ${heading}`, async (t) => CHECKS[heading]!(t, recipe))
