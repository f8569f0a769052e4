import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
import type { Logger } from '../../platform/log.ts'
import { recordAction } from '../audit-log/index.ts'
import { type createMemberSignIn, type Passkeys, type SignInProvider, ssoRequired } from '../members/index.ts'
import { findKeyForSignIn } from '../projects/index.ts'
import { assertSameOrigin } from './same-origin.ts'
import type { ConsoleDeps, SessionOwner, Sessions } from './sessions.ts'
import { TEXT, type BodyOf, bodyOf } from './bodies.ts'

export interface SignInDeps extends ConsoleDeps {
  db: Pool
  encryptor: Encryptor
  log: Pick<Logger, 'error' | 'warn'>
  sessions: Sessions
  attempts: AttemptLimit
  members: ReturnType<typeof createMemberSignIn>
  passkeys: Passkeys
  /** The identity provider of the organization. */
  oidc: SignInProvider
}

/** Starts a session, and sends its cookie. */
export type StartSession = (
  owner: SessionOwner,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

const BODIES = {
  key: bodyOf({ key: TEXT.key }),
  login: bodyOf({ email: TEXT.email, password: TEXT.password, code: TEXT.code }, ['code']),
  link: bodyOf({ token: TEXT.token }),
  setup: bodyOf({ token: TEXT.token, email: TEXT.email, name: TEXT.name, password: TEXT.password }, [
    'email',
    'name',
  ]),
} as const

/** Headers of responses about a person. */
export const NO_STORE = { 'cache-control': 'no-store' }

/** Sign-in and sign-out. These routes exist for browsers only, so they are not operations of the API. */
export function signInRoutes(app: FastifyInstance, deps: SignInDeps, start: StartSession): void {
  const { publicUrl, members } = deps
  // Also routes that need no session: another site must not sign a browser in or out.
  const onRequest = async (request: FastifyRequest) => assertSameOrigin(request, publicUrl)
  app.post<BodyOf<typeof BODIES.key>>(
    '/console/auth/key',
    { onRequest, schema: { body: BODIES.key } },
    async (request, reply) => {
      if (await deps.oidc.isOnly()) throw ssoRequired()
      return start(await ownerOfKey(deps, request.body.key.trim(), request.ip), request, reply)
    },
  )
  app.post<BodyOf<typeof BODIES.login>>(
    '/console/auth/login',
    { onRequest, schema: { body: BODIES.login } },
    async (request, reply) => {
      const member = await members.signIn(request.body, request.ip)
      return start({ organizationId: member.organization_id, memberId: member.id }, request, reply)
    },
  )
  app.post<BodyOf<typeof BODIES.link>>(
    '/console/auth/link',
    { onRequest, schema: { body: BODIES.link } },
    async (request, reply) =>
      reply.headers(NO_STORE).send(await members.describeLink(request.body.token, request.ip)),
  )
  app.post<BodyOf<typeof BODIES.setup>>(
    '/console/auth/setup',
    { onRequest, schema: { body: BODIES.setup } },
    async (request, reply) => {
      const member = await members.useLink(request.body)
      await deps.sessions.endAllOfMember(member.id, null)
      return start({ organizationId: member.organization_id, memberId: member.id }, request, reply)
    },
  )
  app.post('/console/auth/logout', { onRequest }, async (request, reply) => {
    const cookie = await deps.sessions.end(request)
    return reply
      .headers({ ...NO_STORE, 'set-cookie': cookie })
      .code(204)
      .send()
  })
}

/** Returns the function with which every sign-in ends. */
export const sessionStarter =
  (deps: SignInDeps): StartSession =>
  async (owner, request, reply) => {
    const cookie = await deps.sessions.start(owner, request)
    await auditSignIn(deps, owner, request)
    return reply.headers(NO_STORE).header('set-cookie', cookie).code(204).send()
  }

export const auditSignIn = (
  { db }: SignInDeps,
  owner: SessionOwner,
  { ip, id }: FastifyRequest,
): Promise<void> =>
  recordAction(db, {
    owner: { organizationId: owner.organizationId },
    actor:
      owner.memberId === undefined
        ? { type: 'api_key', id: owner.keyId ?? null }
        : { type: 'member', id: owner.memberId },
    action: 'console.signIn',
    object: { type: 'console_session', id: null },
    sourceIp: ip,
    requestId: id,
  })

async function ownerOfKey(
  { db, clock, attempts }: SignInDeps,
  key: string,
  ip: string,
): Promise<SessionOwner> {
  const source = `key from ${ip}`
  await attempts.start(source, ip)
  const holder = await findKeyForSignIn(db, key, { ip, now: clock.now() })
  if (!holder)
    throw new ApiError(
      'APIKey_InvalidAPIKey',
      'This API key is not valid. Copy the whole key, with ak_ or oak_ at the start.',
    )
  await attempts.succeed(source)
  return { organizationId: holder.organization_id, keyId: holder.id }
}
