import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type ConnectedAccountsApp, returnFromProvider } from '#fixtures/connected-accounts.ts'
import { startSignIn, type SignIn, HOME } from '#fixtures/mcp-sign-in.ts'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import { linkConnectedAccount } from '../../../../contract/connected-accounts/index.ts'
import * as policies from '../../../../contract/policies/index.ts'
import { TEXTS } from './index.ts'

const FORM = 'application/x-www-form-urlencoded'
/** Names and reasons that do not come from the pages: of the MCP server and the tool, and of rejected requests. */
const DATA = /Shop helper|Get order|Test <b>|code_challenge|client_id|127\.0\.0\.1|refund/i

type Pages = Record<string, string>

/** Texts of a page with at least three words, as a reader sees them. */
const sentencesOf = (page: string): string[] =>
  page
    .replace(/<(style|script|code|pre|bdi)\b.*?<\/\1>/gs, ' ')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => (text.match(/\p{L}{2,}/gu) ?? []).length >= 3 && !DATA.test(text))

const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''

async function connectPages(s: ConnectedAccountsApp, configId: string, cookies: CookieJar): Promise<Pages> {
  const other = await s.addAuthConfig('BEARER_TOKEN')
  const link = await s.call(linkConnectedAccount, {
    body: { auth_config_id: configId, user_id: 'u1', alternative_auth_config_ids: [other] },
  })
  const { redirect_url: url } = link.body
  const visit = (at: string, form?: Record<string, string>) =>
    s.visit(at, { cookies, ...(form ? { form } : {}) }).then(({ text }) => text)
  const visible = await visit(url)
  const filled = { form_token: tokenOf(visible), generic_api_key: 'key-1' }
  return {
    connect: visible,
    'connect with an error': await visit(url, { form_token: tokenOf(visible) }),
    'a value that cannot be stored': await visit(url, { ...filled, generic_api_key: 'x'.repeat(20_001) }),
    'form of another browser': await visit(url, { form_token: 'x' }),
    connected: await visit(url, filled),
    'used link': await visit(url),
    'unknown link': await visit(`${HOME}/link/lk_${'A'.repeat(32)}`),
    'response without a state': (await returnFromProvider(s, { code: 'c' }, { cookies })).text,
  }
}

async function failurePages(s: ConnectedAccountsApp, language: string): Promise<Pages> {
  const ask = async (method: string, url: string, headers: Record<string, string> = {}, payload?: string) =>
    (
      await s.app.http.inject({
        method: method as 'GET',
        url,
        headers: { accept: 'text/html', cookie: `patchbay_language=${language}`, ...headers },
        ...(payload === undefined ? {} : { payload }),
      })
    ).body
  const link = `/link/lk_${'A'.repeat(32)}`
  const read = s.app.db.one
  s.app.db.one = () => {
    throw new Error('the database failed')
  }
  const broken = await ask('GET', link)
  s.app.db.one = read
  return {
    'internal error': broken,
    'no page': await ask('GET', '/nowhere'),
    'no page below a link': await ask('GET', '/link/'),
    'invalid URL': await ask('GET', '/link/%zz'),
    'large form': await ask('POST', link, { 'content-type': FORM }, `a=${'x'.repeat(70_000)}`),
    'no form': await ask('POST', link, { 'content-type': 'application/json' }, '{}'),
  }
}

async function signInPages(fixture: SignIn, cookies: CookieJar): Promise<Pages> {
  const { s, begin, asked, client, link, id, address, buttonsOf } = fixture
  const visit = (at: string, form?: Record<string, string>) =>
    s.visit(at, { cookies, ...(form ? { form } : {}) }).then(({ text }) => text)
  const opened = await begin(asked(client), cookies)
  const key = { form_token: tokenOf(opened.page.text), key: 'ak_wrong', user_id: 'ada' }
  const wrongKey = await visit(`${opened.at}/key`, key)
  const noUser = await visit(`${opened.at}/key`, { ...key, user_id: '' })
  const { url } = await link({ user_id: 'ada', mcp_server_id: id })
  const linkPage = await visit(url)
  // Without an open request the link ends with a page of its own.
  const alone = new CookieJar()
  const language = /<html lang="(\w+)">/.exec(linkPage)?.[1] ?? ''
  const second = await link({ user_id: 'ada', mcp_server_id: id })
  const { form_token } = buttonsOf((await s.visit(`${second.url}?lang=${language}`, { cookies: alone })).text)
  const signedIn = (await s.visit(second.url, { cookies: alone, form: { form_token } })).text
  await s.visit(url, { cookies, form: { form_token: buttonsOf(linkPage).form_token } })
  const consent = await visit(opened.at)
  const other = await begin(asked(client, { resource: address('?user_id=bob') }), cookies)
  const ended = { form_token: tokenOf(consent), user: 'ada', decision: 'deny' }
  await visit(opened.at, ended)
  return {
    'sign-in': opened.page.text,
    'wrong key': wrongKey,
    'no user': noUser,
    'sign-in link': linkPage,
    'signed in': signedIn,
    'used sign-in link': await visit(url),
    consent,
    'for another user': other.page.text,
    'request that ended': await visit(opened.at),
    'no resource': await visit(asked(client, { resource: `${HOME}/other` })),
    'unknown client': await visit(asked('mcl_unknown')),
    'wrong redirect URI': await visit(asked(client, { redirect_uri: 'https://evil.example/cb' })),
    'invalid request': await visit(asked(client, { code_challenge_method: 'plain' })),
  }
}

async function approvalPages(s: ConnectedAccountsApp, cookies: CookieJar, language: string): Promise<Pages> {
  const reply = (await s.callTool({ user_id: 'ada', arguments: { id: language } })).body.data as {
    approval: { id: string }
  }
  assert.ok(reply?.approval, JSON.stringify(reply))
  const link = await s.call(policies.createApprovalLink, { params: { approval_id: reply.approval.id } })
  assert.equal(link.status, 200, JSON.stringify(link.body))
  const visit = (form?: Record<string, string>) =>
    s.visit(link.body.url, { cookies, ...(form ? { form } : {}) }).then(({ text }) => text)
  const visible = await visit()
  return {
    approval: visible,
    denied: await visit({ form_token: tokenOf(visible), decision: 'deny' }),
    'decided before': await visit(),
  }
}

async function allPages(fixture: SignIn, language: string): Promise<Pages> {
  const { s } = fixture
  const cookies = new CookieJar()
  await s.visit(`${HOME}/link/lk_${'A'.repeat(32)}?lang=${language}`, { cookies })
  return {
    ...(await connectPages(s, await s.addAuthConfig('API_KEY'), cookies)),
    ...(await signInPages(fixture, cookies)),
    ...(await approvalPages(s, cookies, language)),
    ...(await failurePages(s, language)),
  }
}

test('hosted pages: every page exists in five languages, without an English sentence in the other four', async (t: TestContext) => {
  const fixture = await startSignIn(t)
  await fixture.s.call(policies.createPolicy, {
    body: { name: 'Orders', outcome: 'ask', when: { tools: ['SHOP_GET_ORDER'] } },
  })
  const english = await allPages(fixture, 'en')
  assert.ok(Object.keys(english).length >= 28)
  for (const [name, page] of Object.entries(english))
    assert.ok(sentencesOf(page).length > 0 && page.includes('<html lang="en">'), `${name}: ${page}`)
  for (const language of Object.keys(TEXTS).filter((one) => one !== 'en')) {
    const pages = await allPages(fixture, language)
    assert.deepEqual(Object.keys(pages), Object.keys(english))
    for (const [name, page] of Object.entries(pages)) {
      assert.ok(page.includes(`<html lang="${language}">`), `${name} is not in ${language}`)
      const known = new Set(sentencesOf(english[name] as string))
      const untranslated = sentencesOf(page).filter((text) => known.has(text))
      assert.deepEqual(untranslated, [], `${name} in ${language}`)
    }
  }
})
