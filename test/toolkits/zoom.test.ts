import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

const manifest = JSON.stringify((await readBuiltInToolkit('zoom')).toolkit)

test('a server-to-server app asks for a token with its account, and proves itself in the header', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      JSON.parse(manifest.replaceAll('https://zoom.us', url)).auth.filter(
        ({ scheme }: { scheme: string }) => scheme === 'S2S_OAUTH2',
      ),
    answer: ({ path }) =>
      path === '/oauth/token'
        ? {
            json: {
              access_token: 'token-1',
              token_type: 'bearer',
              expires_in: 3599,
              scope: 'meeting:read:admin',
            },
          }
        : { json: {} },
  })
  await s.addAccount(await s.addAuthConfig('S2S_OAUTH2'), 'S2S_OAUTH2', {
    account_id: 'account-1',
    client_id: 'client-1',
    client_secret: 'secret-1',
  })
  await s.callTool()
  const asked = s.stub.requests.find(({ path }) => path === '/oauth/token')!
  assert.deepEqual(Object.fromEntries(new URLSearchParams(asked.body)), {
    grant_type: 'account_credentials',
    account_id: 'account-1',
  })
  assert.equal(asked.headers.authorization, `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`)
  assert.equal(s.stub.requests.at(-1)!.headers.authorization, 'Bearer token-1')
})
