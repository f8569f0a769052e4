import type { FastifyInstance } from 'fastify'
import type { IncomingCall } from '../../platform/http/call.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { permissionsIn, type MemberRow } from '../members/index.ts'
import { findKeyById, listProjectNames } from '../projects/index.ts'
import { type BodyOf, bodyOf, TEXT } from './bodies.ts'
import { NO_STORE, type SignInDeps } from './sign-in-routes.ts'
import type { SessionRow } from './store.ts'

const BODIES = {
  password: bodyOf({ current: TEXT.password, password: TEXT.password }),
  confirm: bodyOf({ code: TEXT.code }),
  remove: bodyOf({ password: TEXT.password, code: TEXT.code }),
} as const

/** What a signed-in person sees and changes about herself or himself. */
export function profileRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { sessions } = deps
  app.get('/console/auth/me', async (request, reply) => {
    const session = await sessions.require(request)
    const person =
      session.member_id === null ? await describeKey(deps, session) : await describeMember(deps, session)
    return reply
      .headers(NO_STORE)
      .send({ ...person, session: { id: session.id, expires_at: session.expires_at.toISOString() } })
  })
  app.get('/console/auth/sessions', async (request, reply) => {
    const session = await sessions.require(request)
    const items = (await sessions.list(session)).map((one) => ({
      id: one.id,
      is_current: one.id === session.id,
      ip: one.ip,
      user_agent: one.user_agent,
      created_at: one.created_at.toISOString(),
      last_used_at: one.last_used_at.toISOString(),
      expires_at: one.expires_at.toISOString(),
    }))
    return reply.headers(NO_STORE).send({ items })
  })
  app.delete<{ Params: { id: string } }>('/console/auth/sessions/:id', async (request, reply) => {
    await sessions.revoke(await sessions.require(request), request.params.id)
    return reply.code(204).send()
  })
  passwordRoutes(app, deps)
}

function passwordRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { sessions, members } = deps
  const memberOf = async (request: IncomingCall) => {
    const session = await sessions.require(request)
    return { session, member: await requireMember(deps, session) }
  }
  app.post<BodyOf<typeof BODIES.password>>(
    '/console/auth/password',
    { schema: { body: BODIES.password } },
    async (request, reply) => {
      const { session, member } = await memberOf(request)
      await members.changePassword(member, request.body, request.ip)
      await sessions.endAllOfMember(member.id, session.id)
      return reply.code(204).send()
    },
  )
  app.post('/console/auth/totp', async (request, reply) => {
    const { member } = await memberOf(request)
    return reply.headers(NO_STORE).send(await members.secondFactor.start(member.id, member.email))
  })
  app.post<BodyOf<typeof BODIES.confirm>>(
    '/console/auth/totp/confirm',
    { schema: { body: BODIES.confirm } },
    async (request, reply) => {
      const { session, member } = await memberOf(request)
      const codes = await members.secondFactor.confirm(member.id, request.body.code)
      await sessions.endAllOfMember(member.id, session.id)
      return reply.headers(NO_STORE).send({ recovery_codes: codes })
    },
  )
  app.post<BodyOf<typeof BODIES.remove>>(
    '/console/auth/totp/remove',
    { schema: { body: BODIES.remove } },
    async (request, reply) => {
      const { member } = await memberOf(request)
      await members.signIn({ email: member.email, ...request.body }, request.ip)
      await members.secondFactor.remove(member.id)
      return reply.code(204).send()
    },
  )
}

/** Returns the member of a session. @throws ApiError 401, 403 for a session of a key */
export async function requireMember({ members }: SignInDeps, session: SessionRow): Promise<MemberRow> {
  if (session.member_id === null)
    throw new ApiError(
      'HTTP_Forbidden',
      'You are signed in with an API key, which has no password and no second factor.',
    )
  const member = await members.findMember(session.organization_id, session.member_id)
  if (!member) throw new ApiError('Console_SessionExpired', 'This member was removed.')
  return member
}

async function describeKey({ db }: SignInDeps, session: SessionRow) {
  const holder = await findKeyById(db, session.key_id as string)
  if (!holder) throw new ApiError('Console_SessionExpired', 'The key of this session was revoked.')
  const projects = await listProjectNames(db, holder.organization_id, holder.project_id)
  return {
    kind: holder.kind === 'project' ? 'project_key' : 'organization_key',
    name: holder.kind === 'project' ? 'Project key' : 'Organization key',
    email: null,
    role: null,
    has_second_factor: false,
    is_administrator: holder.kind === 'organization',
    projects: projects.map((project) => ({ ...project, permissions: holder.permissions })),
  }
}

async function describeMember(deps: SignInDeps, session: SessionRow) {
  const member = await requireMember(deps, session)
  const projects = await listProjectNames(deps.db, member.organization_id, null)
  return {
    kind: 'member',
    name: member.name,
    email: member.email,
    role: member.role,
    has_second_factor: member.has_second_factor,
    is_administrator: member.role !== 'member',
    projects: projects.flatMap((project) => {
      const permissions = permissionsIn(member, project.id)
      return permissions === undefined ? [] : [{ ...project, permissions }]
    }),
  }
}
