import type { Db, Pool } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import type { IdTokenClaims } from '../../../platform/oauth/openid-provider.ts'
import { findOrganizationId, listProjectNames } from '../../projects/index.ts'
import * as store from '../store.ts'
import { findMemberIdOfIdentity, insertIdentity } from './identity-store.ts'
import { type OidcSettings, SIGN_IN_ROLES, type SignInRole } from './settings.ts'

const NAME_CHARACTERS_MAX = 128
const EMAIL_CHARACTERS_MAX = 254

/** Why a person who signed in at the provider may not enter. */
export type RejectionReason = 'no_email' | 'unverified_email' | 'domain' | 'no_role' | 'not_invited'

export class IdentityRejected extends Error {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason) {
    super(`the identity is rejected: ${reason}`)
    this.name = 'IdentityRejected'
    this.reason = reason
  }
}

interface Person {
  issuer: string
  subject: string
  email: string
  isVerified: boolean
  name: string
}

/** Reads the person from the claims of a validated ID token. @throws IdentityRejected */
function personOf({ iss, sub, ...claims }: IdTokenClaims, { trustsEmail }: OidcSettings): Person {
  const { email, email_verified: verified, name } = claims
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > EMAIL_CHARACTERS_MAX)
    throw new IdentityRejected('no_email')
  return {
    issuer: iss,
    subject: sub,
    email,
    // Some providers send the text "true".
    isVerified: verified === true || verified === 'true' || (verified === undefined && trustsEmail),
    name: (typeof name === 'string' && name.trim() ? name.trim() : (email.split('@')[0] as string))
      .toWellFormed()
      .slice(0, NAME_CHARACTERS_MAX),
  }
}

/** Returns the highest role that the claims give, or undefined. */
export function roleFromClaims(claims: Readonly<Record<string, unknown>>, settings: OidcSettings) {
  const { roleClaim, roleMap } = settings
  const values = [claims[roleClaim] ?? []].flat().filter((value) => typeof value === 'string')
  const roles = new Set(
    values.filter((value) => Object.hasOwn(roleMap, value)).map((value) => roleMap[value]),
  )
  return SIGN_IN_ROLES.find((role) => roles.has(role))
}

/**
 * Returns the member that an identity belongs to, with the role that the provider gives. Without a member, one is
 * created if the person has a role; a member with the same verified e-mail address is used. The last owner stays an
 * owner.
 * @throws IdentityRejected
 */
export function memberOfIdentity(
  db: Pool,
  settings: OidcSettings,
  claims: IdTokenClaims,
  now: Date,
): Promise<{ member: store.MemberRow; isNew: boolean }> {
  const person = personOf(claims, settings)
  assertDomain(person, settings)
  const mapped = roleFromClaims(claims, settings)
  const hasMap = Object.keys(settings.roleMap).length > 0
  const role = mapped ?? settings.defaultRole
  if (hasMap && role === undefined) throw new IdentityRejected('no_role')
  return db.begin(async (tx) => {
    const organizationId = await findOrganizationId(tx)
    if (organizationId === undefined) throw new Error('there is no organization')
    // Also serializes the first sign-ins of a person in two browsers.
    const owners = await store.lockOwners(tx, organizationId)
    const existing = await findExisting(tx, organizationId, person)
    const id = existing?.id ?? (await createMember(tx, organizationId, person, role))
    // Without a map, roles are managed in the console: the default is for new members only.
    const isLastOwner = owners.length === 1 && owners[0] === id && role !== 'owner'
    if (role !== undefined && (hasMap || !existing) && !isLastOwner)
      await applyRole(tx, organizationId, id, role)
    await insertIdentity(tx, { issuer: person.issuer, subject: person.subject, member_id: id })
    await store.recordSignIn(tx, id, now)
    const member = await store.findMember(tx, organizationId, id)
    if (!member) throw new Error(`member ${id} was removed`)
    return { member, isNew: !existing }
  })
}

function assertDomain({ email, isVerified }: Person, { allowedDomains }: OidcSettings): void {
  if (allowedDomains.length === 0) return
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!isVerified) throw new IdentityRejected('unverified_email')
  if (!allowedDomains.includes(domain)) throw new IdentityRejected('domain')
}

async function findExisting(
  tx: Db,
  organizationId: string,
  { issuer, subject, email, isVerified }: Person,
): Promise<store.MemberRow | undefined> {
  const id = await findMemberIdOfIdentity(tx, issuer, subject)
  if (id !== undefined) return store.findMember(tx, organizationId, id)
  const member = await store.findMemberByEmail(tx, email)
  // Anyone can enter the e-mail address of another person at a provider that does not verify it.
  if (member && !isVerified) throw new IdentityRejected('unverified_email')
  return member
}

async function createMember(
  tx: Db,
  organizationId: string,
  { email, name }: Person,
  role: SignInRole | undefined,
): Promise<string> {
  if (role === undefined) throw new IdentityRejected('not_invited')
  const id = newId('mbr')
  await store.insertMember(tx, { id, organization_id: organizationId, email, name, role: 'member' })
  return id
}

/** Gives a member a role, in every project if it is a role of projects. */
async function applyRole(tx: Db, organizationId: string, id: string, role: SignInRole): Promise<void> {
  const isOfOrganization = role === 'owner' || role === 'admin'
  await store.updateMember(tx, id, { role: isOfOrganization ? role : 'member' })
  const projects = isOfOrganization ? [] : await listProjectNames(tx, organizationId, null)
  await store.replaceRoles(
    tx,
    id,
    projects.map((project) => ({
      project_id: project.id,
      role: role as store.MemberRow['projects'][0]['role'],
    })),
  )
}
