import type { FastifyInstance, FastifyReply } from 'fastify'
import { createAttempt, type OidcAttempt } from '../../platform/oauth/openid-provider.ts'
import { IdentityRejected, memberOfIdentity } from '../members/index.ts'
import { recordAction } from '../audit-log/index.ts'
import { readStepCookie, stepCookie } from './cookie.ts'
import { auditSignIn, NO_STORE, type SignInDeps } from './sign-in-routes.ts'

const COOKIE = 'patchbay_oidc'
const CONTEXT = 'console:oidc'
/** The person may have to sign in at the provider, with a second factor. */
const ATTEMPT_MS = 15 * 60_000
/** What the browser keeps, encrypted, between the start of a sign-in and the callback. */
interface ConsoleAttempt extends OidcAttempt {
  /** Page of the console that opens after the sign-in, below `/console`. */
  next: string
  /** The provider at the start: a response of one must not be used at another. */
  revision: string | null
}
const NEXT = /^\/[\x21-\x7e]{0,1000}$/

const QUERY = {
  type: 'object',
  properties: { next: { type: 'string', maxLength: 1_001 } },
} as const

export const consoleRedirectUri = (publicUrl: string): string => `${publicUrl}/console/auth/oidc/callback`

/** Sign-in by OpenID Connect: authorization code with PKCE. Both routes are navigations of the browser. */
export function oidcRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { oidc, publicUrl, encryptor, clock, log } = deps
  const redirectUri = consoleRedirectUri(publicUrl)

  app.get<{ Querystring: { next?: string } }>(
    '/console/auth/oidc/start',
    { schema: { querystring: QUERY } },
    async (request, reply) => {
      const next = NEXT.test(request.query.next ?? '') ? (request.query.next as string) : '/'
      try {
        const provider = await oidc.current()
        if (!provider) return toConsole(reply, deps, '/', 'unavailable')
        const attempt: ConsoleAttempt = { ...createAttempt(), next, revision: provider.revision }
        const url = await provider.client.authorizationUrl(attempt, redirectUri)
        const sealed = encryptor.encryptWithRing({ ...attempt, expiresAt: clock.now() + ATTEMPT_MS }, CONTEXT)
        const cookie = stepCookie(COOKIE, sealed.toString('base64url'), ATTEMPT_MS / 1_000, publicUrl)
        return await reply.headers({ ...NO_STORE, 'set-cookie': cookie }).redirect(url, 302)
      } catch (error) {
        log.error({ err: error }, 'the identity provider of the console cannot be used')
        return toConsole(reply, deps, '/', 'unavailable')
      }
    },
  )

  app.get('/console/auth/oidc/callback', async (request, reply) => {
    const attempt = readAttempt(deps, request.headers.cookie)
    if (!attempt) return toConsole(reply, deps, '/', 'expired')
    try {
      const provider = await oidc.current()
      if (!provider || provider.revision !== attempt.revision) return toConsole(reply, deps, '/', 'expired')
      const { client, settings, revision } = provider
      const claims = await client.readIdentity(new URL(request.url, publicUrl), attempt, redirectUri)
      const { member, isNew } = await memberOfIdentity(deps.db, settings, claims, new Date(clock.now()))
      const owner = {
        organizationId: member.organization_id,
        memberId: member.id,
        ...(revision !== null && { providerRevision: revision }),
      }
      const cookie = await deps.sessions.start(owner, request)
      if (isNew) await auditNewMember(deps, member, request)
      await auditSignIn(deps, owner, request)
      reply.header('set-cookie', cookie)
      return await toConsole(reply, deps, attempt.next)
    } catch (error) {
      log.warn({ err: error }, 'a sign-in at the identity provider failed')
      return toConsole(reply, deps, '/', error instanceof IdentityRejected ? error.reason : 'failed')
    }
  })
}

/** Opens a page of the console, and removes the cookie of the attempt. */
function toConsole(
  reply: FastifyReply,
  { publicUrl }: SignInDeps,
  path: string,
  failure?: string,
): FastifyReply {
  return reply
    .headers(NO_STORE)
    .header('set-cookie', stepCookie(COOKIE, '', 0, publicUrl))
    .redirect(`${publicUrl}/console${path}${failure === undefined ? '' : `?sign_in_error=${failure}`}`, 302)
}

function readAttempt(
  { encryptor, clock, publicUrl }: SignInDeps,
  cookies: string | undefined,
): ConsoleAttempt | undefined {
  const text = readStepCookie(cookies, COOKIE, publicUrl)
  if (text === undefined) return undefined
  try {
    const attempt = encryptor.decrypt<ConsoleAttempt & { expiresAt: number }>(
      Buffer.from(text, 'base64url'),
      CONTEXT,
    )
    return attempt.expiresAt > clock.now() ? attempt : undefined
  } catch {
    // Changed, or encrypted with a key that was removed.
    return undefined
  }
}

const auditNewMember = (
  { db }: SignInDeps,
  { id, organization_id: organizationId }: { id: string; organization_id: string },
  request: { ip: string; id: string },
): Promise<void> =>
  recordAction(db, {
    owner: { organizationId },
    actor: { type: 'member', id },
    action: 'members.createBySignIn',
    object: { type: 'member', id },
    sourceIp: request.ip,
    requestId: request.id,
  })
