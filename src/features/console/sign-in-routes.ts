import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
import { recordAction } from '../audit-log/index.ts'
import type { createMemberSignIn } from '../members/index.ts'
import { findKeyForSignIn } from '../projects/index.ts'
import { assertSameOrigin } from './same-origin.ts'
import type { ConsoleDeps, SessionOwner, Sessions } from './sessions.ts'
import { TEXT, type BodyOf, bodyOf } from './bodies.ts'

export interface SignInDeps extends ConsoleDeps {
  sessions: Sessions
  attempts: AttemptLimit
  members: ReturnType<typeof createMemberSignIn>
}

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
export function signInRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { publicUrl, sessions, members } = deps
  // Also routes that need no session: another site must not sign a browser in or out.
  const onRequest = async (request: FastifyRequest) => assertSameOrigin(request, publicUrl)
  const start = async (owner: SessionOwner, request: FastifyRequest, reply: FastifyReply) => {
    const cookie = await sessions.start(owner, request)
    await auditSignIn(deps, owner, request)
    return reply
      .headers({ ...NO_STORE, 'set-cookie': cookie })
      .code(204)
      .send()
  }

  app.post<BodyOf<typeof BODIES.key>>(
    '/console/auth/key',
    { onRequest, schema: { body: BODIES.key } },
    async (request, reply) =>
      start(await ownerOfKey(deps, request.body.key.trim(), request.ip), request, reply),
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
      await sessions.endAllOfMember(member.id, null)
      return start({ organizationId: member.organization_id, memberId: member.id }, request, reply)
    },
  )
  app.post('/console/auth/logout', { onRequest }, async (request, reply) => {
    const cookie = await sessions.end(request)
    return reply
      .headers({ ...NO_STORE, 'set-cookie': cookie })
      .code(204)
      .send()
  })
}

const auditSignIn = ({ db }: SignInDeps, owner: SessionOwner, { ip, id }: FastifyRequest): Promise<void> =>
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
