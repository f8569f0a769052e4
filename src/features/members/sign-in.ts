import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { createAttemptLimit } from '../../platform/http/middleware/attempt-limit.ts'
import { newId } from '../../platform/ids.ts'
import { linkHash } from './links.ts'
import { hashPassword, isPassword, PASSWORD_CHARACTERS } from './password.ts'
import type { MemberDeps } from './service.ts'
import { deletePasskeysOf } from './passkeys/store.ts'
import * as store from './store.ts'
import { createSecondFactor, type SecondFactorDeps } from './second-factor.ts'

/**
 * Sign-in of members with e-mail and password, and the links that set a password.
 * @param isPasswordOff returns whether members sign in at the identity provider only
 */
export function createMemberSignIn(
  deps: MemberDeps & SecondFactorDeps & { isPasswordOff(): Promise<boolean> },
) {
  const { db, clock, isPasswordOff } = deps
  const limit = createAttemptLimit(db, clock)
  const secondFactor = createSecondFactor(deps)
  const now = () => new Date(clock.now())
  return {
    secondFactor,
    findMember: (organizationId: string, id: string) => store.findMember(db, organizationId, id),

    /** Checks e-mail, password and second factor. @throws ApiError 401, TooManyRequests */
    async signIn(input: { email: string; password: string; code?: string | undefined }, ip: string) {
      if (await isPasswordOff()) throw ssoRequired()
      await limit.start(input.email, ip)
      const member = await store.findMemberByEmail(db, input.email)
      if (!(await isPassword(input.password, member?.password_hash)) || !member)
        throw new ApiError('Member_SignInRejected', 'The e-mail address or the password is wrong.')
      if (member.has_second_factor) await secondFactor.check(member.id, input.code)
      await limit.succeed(input.email)
      await store.recordSignIn(db, member.id, now())
      return member
    },

    /** Describes a link without using it up. @throws ApiError 410 */
    async describeLink(token: string, ip: string) {
      await limit.start(`link from ${ip}`, ip)
      const link = await store.findLink(db, linkHash(token), now())
      if (!link) throw invalidLink()
      await limit.succeed(`link from ${ip}`)
      const member =
        link.member_id === null ? undefined : await store.findMember(db, link.organization_id, link.member_id)
      return {
        kind: member ? ('invite' as const) : ('setup' as const),
        email: member?.email ?? null,
        name: member?.name ?? null,
      }
    },

    /**
     * Uses up a link: creates an owner, or sets the password of a member. Links that create an owner work without
     * passwords, too: they open the console when the identity provider fails. @throws ApiError 400, 403, 410
     */
    useLink: (input: LinkInput) => setPasswordByLink(deps, secondFactor, input),

    /** Changes the own password. @throws ApiError 400, 401 */
    async changePassword(member: store.MemberRow, input: { current: string; password: string }, ip: string) {
      await limit.start(member.email, ip)
      if (!(await isPassword(input.current, member.password_hash)))
        throw badRequest('Error in payload.current: is not your password')
      await limit.succeed(member.email)
      assertPassword({ ...input, email: member.email })
      await store.setPassword(db, member.id, await hashPassword(input.password))
    },
  }
}

async function setPasswordByLink(
  { db, clock, isPasswordOff }: MemberDeps & { isPasswordOff(): Promise<boolean> },
  secondFactor: ReturnType<typeof createSecondFactor>,
  input: LinkInput,
): Promise<store.MemberRow> {
  assertPassword(input)
  const passwordHash = await hashPassword(input.password)
  const now = new Date(clock.now())
  const member = await db.begin(async (tx) => {
    const link = await store.takeLink(tx, linkHash(input.token), now)
    if (!link) throw invalidLink()
    if (link.member_id !== null && (await isPasswordOff())) throw ssoRequired()
    const id = link.member_id ?? (await ownerOf(tx, link.organization_id, input))
    await store.setPassword(tx, id, passwordHash)
    await secondFactor.remove(id, tx)
    await deletePasskeysOf(tx, id)
    await store.recordSignIn(tx, id, now)
    return store.findMember(tx, link.organization_id, id)
  })
  if (!member) throw invalidLink()
  return member
}

interface LinkInput {
  token: string
  password: string
  email?: string | undefined
  name?: string | undefined
}

/** The error of a sign-in without the identity provider, where no other is allowed. */
export const ssoRequired = () =>
  new ApiError('Member_SsoRequired', 'This organization signs in at its identity provider only.')

const invalidLink = () => new ApiError('Member_InvalidLink', 'This link was used already, or has expired.')

function assertPassword({ password, email }: { password: string; email?: string | undefined }): void {
  if ([...password].length < PASSWORD_CHARACTERS.min)
    throw badRequest(`Error in payload.password: must have at least ${PASSWORD_CHARACTERS.min} characters`)
  if (email !== undefined && password.toLowerCase() === email.toLowerCase())
    throw badRequest('Error in payload.password: must not be the e-mail address')
}

/**
 * Returns the owner whom a set-up link creates. A member with this address becomes an owner: the link is for recovery,
 * too.
 */
async function ownerOf(
  tx: Parameters<typeof store.findMember>[0],
  organizationId: string,
  { email, name }: LinkInput,
): Promise<string> {
  if (!email) throw badRequest('Error in payload.email: is required')
  const existing = await store.findMemberByEmail(tx, email)
  if (existing) {
    await store.updateMember(tx, existing.id, { role: 'owner', name })
    return existing.id
  }
  const id = newId('mbr')
  await store.insertMember(tx, {
    id,
    organization_id: organizationId,
    email,
    name: name ?? (email.split('@')[0] as string),
    role: 'owner',
  })
  return id
}
