import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { commandLine } from '#fixtures/cli-app.ts'
import { BASIC, BEARER, oauth, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { listAuthConfigs } from '../../contract/auth-configs/index.ts'
import { listConnectedAccounts } from '../../contract/connected-accounts/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { schemeForPage } from '../connect/choose-scheme.ts'
import { browserCommand } from '../connect/open-browser.ts'

const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''

async function start(t: TestContext, schemes = [BEARER, BASIC]) {
  const s = await startConnectedAccountsApp(t, { auth: schemes })
  return {
    ...s,
    run: commandLine(t, s),
    accounts: async () =>
      (await s.call(listConnectedAccounts, {})).body.items.map(
        ({ user_id: user, status }) => `${user} ${status}`,
      ),
    configs: async () =>
      (await s.call(listAuthConfigs, {})).body.items.map(({ auth_scheme: scheme }) => scheme),
  }
}

test('connect: a token connects at once, and the auth config is created once', async (t) => {
  const { run, accounts, configs } = await start(t)
  const { code, text } = await run('patchbay connect shop --user ada --token token-0001')
  assert.equal(code, 0, text)
  assert.match(text, /^connected {2}ca_\S+ {2}ada\n$/)
  assert.equal((await run('patchbay connect shop --user ben --token -', { input: 'token-0002\n' })).code, 0)
  assert.deepEqual(await accounts(), ['ben ACTIVE', 'ada ACTIVE'])
  assert.deepEqual(await configs(), ['BEARER_TOKEN'])
})

test('connect: fields select the scheme that needs them, and missing ones are named', async (t) => {
  const { run, configs, accounts } = await start(t)
  const line = 'patchbay connect shop --user ada --field username=ada --token secret-1'
  assert.equal((await run(line)).code, 0)
  assert.deepEqual([await configs(), await accounts()], [['BASIC'], ['ada ACTIVE']])
  const { code, text } = await run('patchbay connect shop --user ada --field company=acme')
  assert.equal(code, 2)
  assert.match(text, /do not complete a connection to shop[^]*BEARER_TOKEN needs token; BASIC needs username/)
})

test('connect: without credentials it prints the page and waits until the user has connected there', async (t) => {
  const { run, visit, accounts } = await start(t, [BEARER])
  let filled: Promise<unknown> | undefined
  const onText = (text: string) => {
    const [, url] = /(http\S+\/link\/\S+)\n/.exec(text) ?? []
    if (url !== undefined)
      filled ??= visit(url).then((page) =>
        visit(url, { form: { form_token: tokenOf(page.text), token: 'token-0003' } }),
      )
  }
  const { code, text } = await run('patchbay connect shop --user ada', { onText })
  await filled
  assert.equal(code, 0, text)
  assert.match(
    text,
    /Open this page to connect shop:\n\n {2}http\S+\n\nWaiting …\nconnected {2}ca_\S+ {2}ada\n$/,
  )
  assert.deepEqual(await accounts(), ['ada ACTIVE'])
})

test('connect: an OAuth app is used with its credentials, and the page redirects to the provider', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const run = commandLine(t, s)
  let visited: Promise<string> | undefined
  const onText = (text: string) => {
    const [, url] = /(http\S+\/link\/\S+)\n/.exec(text) ?? []
    if (url !== undefined) visited ??= s.visit(url).then(({ text: page }) => page)
    // A failed account ends the wait of the command.
    void visited?.then(async () => s.app.db.run(sql`update connected_accounts set status = 'FAILED'`))
  }
  const { code } = await run('patchbay connect shop --user ada --client-id id-1 --client-secret -', {
    input: 'secret-1\n',
    onText,
  })
  assert.equal(code, 1, 'an account that was not connected is no success')
  assert.match((await visited) ?? '', /Shop/)
  assert.deepEqual(
    (await s.call(listAuthConfigs, {})).body.items.map(({ auth_scheme: scheme }) => scheme),
    ['OAUTH2'],
  )
})

test('connect: an application with sign-in only needs an OAuth app, with the redirect URI to register', () => {
  const toolkit = {
    slug: 'shop',
    service_managed_auth_schemes: [],
    auth_config_details: [{ mode: 'OAUTH1' }],
  }
  assert.throws(
    () => schemeForPage(toolkit as never, 'http://localhost:3900/api/v3/toolkits/auth/callback'),
    {
      message: 'shop needs an OAuth app, and this server has none.',
      fix: /redirect URI http:\/\/localhost:3900\/api\/v3\/toolkits\/auth\/callback, then add --client-id/,
    },
  )
  const managed = { ...toolkit, service_managed_auth_schemes: ['OAUTH1'] }
  assert.deepEqual(schemeForPage(managed as never, ''), { mode: 'OAUTH1', isManaged: true })
})

test('connect: wrong calls change nothing and say what to add', async (t) => {
  const { run, accounts, configs } = await start(t)
  const lines: [string, number, RegExp][] = [
    ['patchbay connect shop', 2, /--user is missing/],
    ['patchbay connect shpo --user ada', 1, /Toolkit shpo not found\. Did you mean shop\?/],
    ['patchbay connect shop --user ada --field token', 2, /--field "token" has no name/],
    ['patchbay connect shop --user ada --client-id x', 2, /Use both --client-id and --client-secret/],
    ['patchbay connect shop --user ada --client-id x --client-secret y', 2, /shop has no OAuth scheme/],
    ['patchbay connect shop --user ada --token -', 2, /Standard input is empty/],
    ['patchbay connect shop --user ada --auth-config ac_none00000000', 1, /HTTP 404/],
  ]
  for (const [line, expected, message] of lines) {
    const { code, text } = await run(line)
    assert.equal(code, expected, `${line}\n${text}`)
    assert.match(text, message)
  }
  assert.deepEqual([await accounts(), await configs()], [[], []])
})

test('connect: the browser opens only where the user sees it, and only for http URLs', () => {
  const at = { env: { DISPLAY: ':0' }, isTerminal: true, platform: 'linux' as const }
  const url = 'https://patchbay.example/link/lk_1'
  assert.deepEqual(browserCommand(url, at), ['xdg-open', url])
  assert.deepEqual(browserCommand(url, { ...at, platform: 'darwin' }), ['open', url])
  for (const elsewhere of [{ env: {} }, { env: { ...at.env, SSH_CONNECTION: 'x' } }, { isTerminal: false }])
    assert.equal(browserCommand(url, { ...at, ...elsewhere }), undefined)
  assert.equal(browserCommand('file:///etc/passwd', at), undefined)
})
