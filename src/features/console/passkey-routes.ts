import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { recordAction } from '../audit-log/index.ts'
import { type MemberRow, ssoRequired } from '../members/index.ts'
import { TEXT } from './bodies.ts'
import { readStepCookie, stepCookie } from './cookie.ts'
import { requireMember } from './profile-routes.ts'
import { assertSameOrigin } from './same-origin.ts'
import { NO_STORE, type SignInDeps, type StartSession } from './sign-in-routes.ts'
import { useChallenge } from './store.ts'

const COOKIE = 'patchbay_passkey'
const CHALLENGE_MS = 5 * 60_000

const base64 = { type: 'string', pattern: '^[A-Za-z0-9_-]*$', maxLength: 20_000 } as const
/** A credential as `PublicKeyCredential.toJSON` writes it. Its members are verified with the signature. */
const CREDENTIAL = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  properties: {
    id: { ...base64, minLength: 1, maxLength: 2_000 },
    rawId: { ...base64, minLength: 1, maxLength: 2_000 },
    type: { const: 'public-key' },
    response: {
      type: 'object',
      required: ['clientDataJSON'],
      properties: {
        clientDataJSON: base64,
        attestationObject: base64,
        authenticatorData: base64,
        signature: base64,
        userHandle: base64,
        transports: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 32 } },
      },
    },
  },
} as const

const bodyWith = (properties: Record<string, object>) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
})

type Kind = 'register' | 'sign_in'

/** Passkeys: sign-in without a password, and the passkeys of the signed-in member. */
export function passkeyRoutes(app: FastifyInstance, deps: SignInDeps, start: StartSession): void {
  signInWithPasskey(app, deps, start)
  ownPasskeys(app, deps)
}

function signInWithPasskey(app: FastifyInstance, deps: SignInDeps, start: StartSession): void {
  const { passkeys, attempts, publicUrl, oidc } = deps
  const onRequest = async (request: FastifyRequest) => {
    assertSameOrigin(request, publicUrl)
    if (await oidc.isOnly()) throw ssoRequired()
  }
  app.post('/console/auth/passkey/options', { onRequest }, async (_request, reply) => {
    const options = await passkeys.signInOptions()
    return sendOptions(deps, reply, 'sign_in', options)
  })
  app.post<{ Body: { credential: Parameters<typeof passkeys.signIn>[0]['credential'] } }>(
    '/console/auth/passkey',
    { onRequest, schema: { body: bodyWith({ credential: CREDENTIAL }) } },
    async (request, reply) => {
      const source = `passkey from ${request.ip}`
      await attempts.start(source, request.ip)
      const challenge = await readChallenge(deps, 'sign_in', request)
      const member = await passkeys.signIn({ challenge, credential: request.body.credential })
      await attempts.succeed(source)
      return start({ organizationId: member.organization_id, memberId: member.id }, request, reply)
    },
  )
}

function ownPasskeys(app: FastifyInstance, deps: SignInDeps): void {
  const { passkeys, sessions } = deps
  const memberOf = async (request: FastifyRequest): Promise<MemberRow> =>
    requireMember(deps, await sessions.require(request))
  app.get('/console/auth/passkeys', async (request, reply) => {
    const { id } = await memberOf(request)
    return reply.headers(NO_STORE).send({ items: await passkeys.list(id) })
  })
  app.post('/console/auth/passkeys/options', async (request, reply) => {
    const options = await passkeys.registrationOptions(await memberOf(request))
    return sendOptions(deps, reply, 'register', options)
  })
  app.post<{ Body: { name: string; credential: Parameters<typeof passkeys.register>[1]['credential'] } }>(
    '/console/auth/passkeys',
    { schema: { body: bodyWith({ name: TEXT.name, credential: CREDENTIAL }) } },
    async (request, reply) => {
      const member = await memberOf(request)
      const challenge = await readChallenge(deps, 'register', request)
      await passkeys.register(member, { ...request.body, challenge })
      await audit(deps, member, 'members.addPasskey', request)
      return reply.code(204).send()
    },
  )
  app.delete<{ Params: { id: string } }>('/console/auth/passkeys/:id', async (request, reply) => {
    const member = await memberOf(request)
    await passkeys.remove(member.id, request.params.id)
    await audit(deps, member, 'members.removePasskey', request)
    return reply.code(204).send()
  })
}

interface Challenge {
  challenge: string
  expiresAt: number
}

const contextOf = (kind: Kind): string => `console:passkey:${kind}`

/** Sends options to the browser, with their challenge in an encrypted cookie. */
function sendOptions(
  { encryptor, clock, publicUrl }: SignInDeps,
  reply: FastifyReply,
  kind: Kind,
  options: { challenge: string },
): FastifyReply {
  const { challenge } = options
  const sealed = encryptor.encryptWithRing(
    { challenge, expiresAt: clock.now() + CHALLENGE_MS } satisfies Challenge,
    contextOf(kind),
  )
  const cookie = stepCookie(COOKIE, sealed.toString('base64url'), CHALLENGE_MS / 1_000, publicUrl)
  return reply.headers({ ...NO_STORE, 'set-cookie': cookie }).send(options)
}

/** Returns the challenge that this browser received, once. @throws ApiError 401 */
async function readChallenge(
  { db, encryptor, clock, publicUrl }: SignInDeps,
  kind: Kind,
  { headers }: FastifyRequest,
): Promise<string> {
  const text = readStepCookie(headers.cookie, COOKIE, publicUrl)
  const value = text === undefined ? undefined : decrypt(encryptor, text, kind)
  if (!value || value.expiresAt <= clock.now())
    throw new ApiError('Member_PasskeyRejected', 'The time for using the passkey is over.')
  const hash = createHash('sha256').update(value.challenge).digest()
  if (!(await useChallenge(db, hash, new Date(value.expiresAt))))
    throw new ApiError('Member_PasskeyRejected', 'This response of the passkey was used already.')
  return value.challenge
}

function decrypt(encryptor: SignInDeps['encryptor'], text: string, kind: Kind): Challenge | undefined {
  try {
    return encryptor.decrypt<Challenge>(Buffer.from(text, 'base64url'), contextOf(kind))
  } catch {
    // Changed, of another kind, or encrypted with a key that was removed.
    return undefined
  }
}

const audit = (
  { db }: SignInDeps,
  { id, organization_id: organizationId }: MemberRow,
  action: string,
  request: FastifyRequest,
): Promise<void> =>
  recordAction(db, {
    owner: { organizationId },
    actor: { type: 'member', id },
    action,
    object: { type: 'member', id },
    sourceIp: request.ip,
    requestId: request.id,
  })
