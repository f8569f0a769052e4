import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { OidcSettings } from '../../src/features/members/index.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { type OidcProviderPeer, startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { assertAccessible, startConsole, VIEWPORTS } from './console.ts'
import { createOwner } from './owner.ts'

/** Adds an authenticator that verifies the person, as a laptop with a fingerprint sensor does. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { setVerified }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Signed in: Ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
}

test('console: passkeys', async (t) => {
  const console = await startConsole(t, { host: 'localhost' })
  const page = await createOwner(console)
  const { setVerified } = await addAuthenticator(page)

  await t.test('a member adds a passkey and signs in with it', async () => {
    await page.goto(`${console.url}/console/settings/profile`)
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('never used').waitFor()
    await assertAccessible(page, 'profile with a passkey')
    await console.browser.saveScreenshot(page, 'console-passkeys')
    await signOut(page)
    await assertAccessible(page, 'sign-in with a passkey')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.getByText('last used').waitFor()
  })

  await t.test('a response to a challenge is accepted once', async () => {
    const used: { url: string; body: string; cookie: string }[] = []
    await signOut(page)
    await page.route('**/console/auth/passkey', async (route) => {
      const request = route.request()
      const cookie = (await request.allHeaders())['cookie'] ?? ''
      used.push({ url: request.url(), body: request.postData() ?? '', cookie })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    const [first] = used
    const again = await fetch(first!.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-patchbay-console': '1',
        origin: console.url,
        cookie: first!.cookie,
      },
      body: first!.body,
    })
    assert.equal(again.status, 401)
    assert.match(await again.text(), /used already/)
  })

  await t.test('without a verified person, and after its removal, a passkey is rejected', async () => {
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByText('Passkey removed').first().waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey was not accepted.').waitFor()
    await setVerified(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
  })
})

test('console: a person signs in at the identity provider by clicks', async (t) => {
  const port = await findFreePort()
  const redirectUri = `http://127.0.0.1:${port}/console/auth/oidc/callback`
  const provider = await startOidcProvider({ redirectUris: [redirectUri] })
  t.after(() => provider.stop())
  const console = await startConsole(t, { port, oidc: settingsOf(provider) })
  const page = await console.open('/users', { key: null, viewport: VIEWPORTS.phone })
  const link = page.getByRole('link', { name: 'Continue with Example SSO' })
  await link.waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0, 'passwords are off')
  await assertAccessible(page, 'sign-in at the provider only')
  await console.browser.saveScreenshot(page, 'console-sso')
  await page.goto(`${console.url}/console/users?sign_in_error=not_invited`)
  await page.getByText('You have not been invited').waitFor()
  await link.click()
  await page.locator('input[name=login]').fill('grace')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: /continue/i }).click()
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/console/users')
})

const settingsOf = (provider: OidcProviderPeer): OidcSettings => ({
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  name: 'Example SSO',
  scopes: 'openid email profile',
  allowedDomains: [],
  trustsEmail: false,
  roleClaim: 'groups',
  roleMap: {},
  defaultRole: 'viewer',
  isOnly: true,
})
