import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts/index.ts'

const SITES = [
  { id: 'cloud-1', name: 'acme', url: 'https://acme.atlassian.net' },
  { id: 'cloud-2', name: 'acme-lab', url: 'https://acme-lab.atlassian.net' },
]

for (const [slug, base] of [
  ['jira', '/ex/jira/cloud-1/rest/api/2'],
  ['confluence', '/ex/confluence/cloud-1/wiki'],
] as const) {
  describe(slug, () => {
    const stageOf = async (t: Parameters<typeof startConnectedAccountsApp>[0], sites: unknown[]) => {
      const manifest = JSON.stringify((await readBuiltInToolkit(slug)).toolkit)
      const s = await startConnectedAccountsApp(t, {
        auth: (url) => [JSON.parse(manifest.replaceAll('https://api.atlassian.com', url)).auth[0]],
        answer: ({ path }) => (path === '/oauth/token/accessible-resources' ? { json: sites } : { json: {} }),
      })
      return { s, config: await s.addAuthConfig('BEARER_TOKEN') }
    }

    test('requests go to the one site that the token may see', async (t) => {
      const { s, config } = await stageOf(t, SITES.slice(0, 1))
      await s.addAccount(config, 'BEARER_TOKEN', { token: 'token-1' })
      await s.callTool()
      const { path, headers } = s.stub.requests.at(-1)!
      assert.deepEqual([path, headers.authorization], [`${base}/orders/7`, 'Bearer token-1'])
    })

    test('of several sites one has to be named', async (t) => {
      const { s, config } = await stageOf(t, SITES)
      const connection = (val: Record<string, string>) =>
        ({
          auth_config: { id: config },
          connection: { user_id: 'u1', state: { authScheme: 'BEARER_TOKEN', val } },
        }) as never
      const refused = await s.call(createConnectedAccount, { body: connection({ token: 'token-1' }) })
      assert.match(JSON.stringify(refused.body), /acme-lab/)
      const made = await s.call(createConnectedAccount, {
        body: connection({ token: 'token-1', cloud_id: 'cloud-1' }),
      })
      assert.equal(made.status, 201)
      await s.callTool()
      assert.equal(s.stub.requests.at(-1)!.path, `${base}/orders/7`)
    })
  })
}
