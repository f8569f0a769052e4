import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createCustomMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { createMcpSignInLink } from '../../src/contract/mcp-authorization/index.ts'
import { startPlatform } from '../e2e/platform.ts'
import { assertAccessible } from '../fixtures/accessible.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { upstream } from '../fixtures/upstream.ts'

/** Registers a client that returns to `back`, and returns where it asks its user for access to a server. */
async function authorizeAddress(url: string, back: string, id: string): Promise<string> {
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [back],
      client_name: 'A program with a long name that wants your tools',
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: back,
    state: 's1',
    resource: `${url}/v3/mcp/${id}`,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${url}/oauth/authorize?${query}`
}

test('a browser signs its user in for an MCP client, and only leads to where the client is', async (t) => {
  const platform = await startPlatform(t)
  const { id } = (
    await platform.call(createCustomMcpServer, { body: { name: 'Clock and sums', toolkits: ['utilities'] } })
  ).body
  const program = await upstream(t, () => ({ text: 'You can close this page.' }))
  const back = `${program.url}/cb`
  const address = await authorizeAddress(platform.url, back, id)
  const browser = await startBrowser(t)
  const page = await browser.page({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  const isSound = async (name: string) => {
    await assertAccessible(page, name)
    await browser.saveScreenshot(page, name)
  }

  await page.goto(address)
  await isSound('mcp-sign-in')
  await page.getByLabel('User').fill('ada')
  await page.getByLabel('Key').fill('ak_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isSound('mcp-sign-in-error')
  assert.equal(await page.getByLabel('Key').inputValue(), '')
  await page.getByLabel('Key').fill(platform.keys.projectApiKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isSound('mcp-consent')
  await page.getByRole('button', { name: 'Allow as ada' }).click()
  await page.waitForURL(`${back}**`)
  const allowed = new URL(page.url()).searchParams
  assert.deepEqual(
    [allowed.get('state'), allowed.get('iss'), /^mac_/.test(allowed.get('code') ?? '')],
    ['s1', platform.url, true],
  )

  const { url } = (await platform.call(createMcpSignInLink, { body: { mcp_server_id: id, user_id: 'bob' } }))
    .body
  await page.goto(url)
  await isSound('mcp-sign-in-link')
  await page.getByRole('button', { name: 'Sign in as bob' }).click()
  await isSound('mcp-signed-in')
  await page.goto(address)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${back}**`)
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  await page.goto(address.replace('S256', 'plain'))
  await isSound('mcp-fault')
  assert.ok(!page.url().startsWith(back))
})
