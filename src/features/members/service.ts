import type { Member } from '../../contract/members.ts'
import { violates } from '../../platform/db/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { assertProjectsExist } from '../projects/index.ts'
import { createLink } from './links.ts'
import * as store from './store.ts'

export interface MemberDeps {
  db: Pool
  clock: Clock
  publicUrl: string
}

/** Who changes members. With a key of the organization, there is no member. */
export interface Changer {
  organizationId: string
  memberId: string | undefined
}

interface MemberPatch {
  name?: string | undefined
  role?: store.MemberRow['role'] | undefined
  projects?: store.MemberRow['projects'] | undefined
}

export const memberService = (deps: MemberDeps) => ({
  list: (organizationId: string) => store.listMembers(deps.db, organizationId),
  invite: (
    changer: Changer,
    draft: Required<Omit<MemberPatch, 'projects'>> & { email: string } & MemberPatch,
  ) => inviteMember(deps, changer, draft as never),
  update: (changer: Changer, id: string, patch: MemberPatch) => updateMember(deps, changer, id, patch),
  createLink: (changer: Changer, id: string) => createMemberLink(deps, changer, id),
  remove: (changer: Changer, id: string) => removeMember(deps, changer, id),
})

async function inviteMember(
  { db, clock, publicUrl }: MemberDeps,
  changer: Changer,
  draft: {
    email: string
    name: string
    role: store.MemberRow['role']
    projects?: store.MemberRow['projects']
  },
) {
  const { organizationId } = changer
  const id = newId('mbr')
  try {
    return await db.begin(async (tx) => {
      await assertMayChange(tx, changer, draft.role)
      await assertProjects(tx, organizationId, draft.projects)
      const { email, name, role } = draft
      await store.insertMember(tx, { id, organization_id: organizationId, email, name, role })
      await store.replaceRoles(tx, id, draft.projects ?? [])
      const link = await createLink(tx, { organizationId, memberId: id, publicUrl, now: clock.now() })
      return { member: await requireMember(tx, organizationId, id), link }
    })
  } catch (error) {
    if (violates(error, 'members_email'))
      throw new ApiError(
        'Member_EmailTaken',
        `There is a member with the e-mail address ${draft.email} already.`,
      )
    throw error
  }
}

function updateMember({ db }: MemberDeps, changer: Changer, id: string, patch: MemberPatch) {
  const { organizationId } = changer
  return db.begin(async (tx) => {
    const member = await requireMember(tx, organizationId, id)
    await assertMayChange(tx, changer, member.role, patch.role)
    if (member.role === 'owner' && patch.role !== undefined && patch.role !== 'owner')
      await assertNotLastOwner(tx, organizationId, id)
    await assertProjects(tx, organizationId, patch.projects)
    await store.updateMember(tx, id, patch)
    if (patch.projects) await store.replaceRoles(tx, id, patch.projects)
    return requireMember(tx, organizationId, id)
  })
}

function createMemberLink({ db, clock, publicUrl }: MemberDeps, changer: Changer, id: string) {
  const { organizationId } = changer
  return db.begin(async (tx) => {
    const member = await requireMember(tx, organizationId, id)
    await assertMayChange(tx, changer, member.role)
    await store.deleteLinksOf(tx, id)
    return createLink(tx, { organizationId, memberId: id, publicUrl, now: clock.now() })
  })
}

function removeMember({ db }: MemberDeps, changer: Changer, id: string): Promise<void> {
  return db.begin(async (tx) => {
    const member = await requireMember(tx, changer.organizationId, id)
    await assertMayChange(tx, changer, member.role)
    if (member.role === 'owner') await assertNotLastOwner(tx, changer.organizationId, id)
    await store.deleteMember(tx, id)
  })
}

async function requireMember(db: Db, organizationId: string, id: string): Promise<store.MemberRow> {
  const member = await store.findMember(db, organizationId, id)
  if (!member) throw new ApiError('Member_NotFound', `No member ${id} in this organization.`)
  return member
}

/** An administrator cannot change an owner, and cannot make one. A key of the organization can. */
async function assertMayChange(db: Db, changer: Changer, ...roles: (string | undefined)[]): Promise<void> {
  if (changer.memberId === undefined || !roles.includes('owner')) return
  const member = await store.findMember(db, changer.organizationId, changer.memberId)
  if (member?.role !== 'owner') throw new ApiError('Member_OwnerOnly', 'Only an owner can change owners.')
}

async function assertNotLastOwner(db: Db, organizationId: string, id: string): Promise<void> {
  const owners = await store.lockOwners(db, organizationId)
  if (owners.every((owner) => owner === id))
    throw new ApiError('Member_LastOwner', 'The organization needs at least one owner.')
}

const assertProjects = async (db: Db, organizationId: string, projects: store.MemberRow['projects'] = []) =>
  assertProjectsExist(
    db,
    organizationId,
    projects.map(({ project_id: id }) => id),
  )

export const presentMember = (row: store.MemberRow): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  projects: row.projects,
  status: row.password_hash === null && !row.has_identity ? 'invited' : 'active',
  has_second_factor: row.has_second_factor,
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
