import assert from 'node:assert/strict'
import type { Catalog } from '../../src/catalog/index.ts'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { signInAndConsent, type SignInOptions } from '../fixtures/real-applications/browser.ts'
import { CookieJar } from '../fixtures/real-applications/cookie-jar.ts'
import type { OidcProviderPeer } from '../fixtures/real-applications/oidc-provider.ts'
import type { Project } from './platform.ts'

export const PROFILE = 'ISSUER_GET_PROFILE'

export const issuerCatalog = (): Catalog => catalogFromSources([issuerSource()])

/** A toolkit for any OpenID provider: where it is says the auth config. */
export function issuerSource(): Parameters<typeof catalogFromSources>[0][number] {
  return {
    slug: 'issuer',
    icon: '<svg/>',
    toolkit: {
      slug: 'issuer',
      name: 'Issuer',
      description: 'Reads who the signed-in person is.',
      categories: ['identity'],
      created: '2026-11-21',
      releases: [{ version: '20261121_00', changes: 'First release.' }],
      base_url: '{issuer}',
      auth: [
        {
          scheme: 'OAUTH2',
          client_auth: 'basic',
          authorize: { url: '{issuer}/auth' },
          token: { url: '{issuer}/token' },
          refresh: { rotates: 'always' },
          scopes: { default: ['openid', 'email'] },
          revoke: { url: '{issuer}/token/revocation' },
          fields: {
            auth_config_creation: [
              { name: 'issuer', display_name: 'Issuer', description: 'Address of the provider.' },
            ],
          },
        },
      ],
      error_message: ['error_description', 'error'],
    },
    tools: {
      tools: [
        {
          slug: PROFILE,
          name: 'Get profile',
          description: 'Returns the claims about the signed-in person.',
          effect: 'read',
          input: { type: 'object', properties: {} },
          output: { type: 'object', properties: { sub: { type: 'string', description: 'Who it is.' } } },
          request: { method: 'GET', path: '/me' },
        },
      ],
    },
  }
}

/** What a developer registers: the provider's client. */
export const clientOf = ({ issuer, clientId, clientSecret }: OidcProviderPeer) => ({
  issuer,
  client_id: clientId,
  client_secret: clientSecret,
})

export interface Started {
  id: string
  redirectUrl: string
}

/** Asks for a connection; the user has yet to go to the provider. */
export async function startConnection(
  project: Project,
  authConfigId: string,
  userId: string,
  more: Record<string, unknown> = {},
): Promise<Started> {
  const { status, body } = await project.tryConnect(authConfigId, 'OAUTH2', userId, {}, more)
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body['status'], 'INITIALIZING')
  return { id: body['id'] as string, redirectUrl: body['redirect_url'] as string }
}

const ourBrowser = new CookieJar()

/**
 * One request of a browser, which shows what it got instead of going on. It is always the same browser,
 * unless other cookies are given.
 */
export async function visit(
  url: string,
  cookies: CookieJar = ourBrowser,
): Promise<{ status: number; location: string; headers: Headers; html: string }> {
  const at = new URL(url)
  const reply = await fetch(at, {
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookies.headerFor(at) },
    signal: AbortSignal.timeout(10_000),
  })
  cookies.store(at, reply.headers.getSetCookie())
  return {
    status: reply.status,
    location: reply.headers.get('location') ?? '',
    headers: reply.headers,
    html: await reply.text(),
  }
}

/** The user's part, up to the address that the provider sends the browser back to. */
export async function decide({ redirectUrl }: Started, options: SignInOptions = {}): Promise<string> {
  const { status, location } = await visit(redirectUrl)
  assert.equal(status, 302)
  return (await signInAndConsent(location, options)).callbackUrl
}

/** The whole walk; answers the id of an account that is ACTIVE. */
export async function connectPerson(project: Project, authConfigId: string, userId: string): Promise<string> {
  const started = await startConnection(project, authConfigId, userId)
  await visit(await decide(started, { login: userId }))
  const { status, status_reason } = await project.account(started.id)
  assert.equal(status, 'ACTIVE', String(status_reason))
  return started.id
}
