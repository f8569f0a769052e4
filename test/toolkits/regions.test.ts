import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { type Manifest, startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

for (const [slug, scheme, secret, host] of [
  ['intercom', 'BEARER_TOKEN', 'token', 'api.eu.intercom.io'],
  ['sendgrid', 'API_KEY', 'generic_api_key', 'api.eu.sendgrid.com'],
] as const) {
  test(`${slug}: requests go to the host of the region that was chosen, and to no other`, async (t) => {
    const manifest = JSON.stringify((await readBuiltInToolkit(slug)).toolkit)
    const s = await startConnectedAccountsApp(t, {
      auth: (url) => {
        const { auth, base_url: base } = JSON.parse(manifest.replaceAll(host, new URL(url).host)) as {
          auth: Manifest[]
          base_url: string
        }
        return auth
          .filter((one) => one.scheme === scheme)
          .map((one) => ({ ...one, base_url: base.replace('https:', 'http:') }))
      },
      answer: () => ({ json: {} }),
    })
    const config = await s.addAuthConfig(scheme)
    await s.addAccount(config, scheme, { [secret]: 'secret-1', region: 'eu' })
    await s.callTool()
    const { path, headers } = s.stub.requests.at(-1)!
    assert.match(path, /\/orders\/7$/)
    assert.equal(headers.authorization, 'Bearer secret-1')
    const elsewhere = await s.connect(config, {
      user_id: 'u1',
      state: { authScheme: scheme, val: { [secret]: 'secret-1', region: 'moon' } },
    })
    assert.equal(elsewhere.status, 400)
  })
}
