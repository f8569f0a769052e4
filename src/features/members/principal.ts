import type { Audience, Permission } from '../../contract/route.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Principals } from '../../platform/http/call.ts'
import { hasPermission, type KeyPermissions } from '../../platform/http/key-permissions.ts'
import { projectPrincipal } from '../projects/index.ts'
import { OPERATIONS_OF_ALL_ROLES, OWNER_OPERATIONS, permissionsOf } from './roles.ts'
import type { MemberRow } from './store.ts'

const PREFIX = 'member:'

/** Returns the id of the member who makes a call, from `keyId` of the call; undefined for a key. */
export const memberIdOf = (keyId: string): string | undefined =>
  keyId.startsWith(PREFIX) ? keyId.slice(PREFIX.length) : undefined

interface MemberCall {
  audience: Exclude<Audience, 'public'>
  permission: Permission | undefined
  /** Id of the operation; undefined for a further check of the same call. */
  operation: string | undefined
  projectId: string | undefined
}

/** A person has no key to exchange: another person changes the role. */
const denied = (text: string) =>
  new ApiError('APIKey_InsufficientPermissions', text, {
    fix: 'Ask an owner or administrator of the organization for a role that allows it.',
  })

const isAdministrator = ({ role }: MemberRow): boolean => role !== 'member'

/** Returns the permissions of a member in a project: null for all, undefined without access to the project. */
export function permissionsIn(member: MemberRow, projectId: string): KeyPermissions | undefined {
  if (isAdministrator(member)) return null
  const role = member.projects.find(({ project_id: id }) => id === projectId)?.role
  return role && permissionsOf(role)
}

/** Returns the principal of a call that a member makes. @throws ApiError 400, 403, 404 */
export async function authenticateMember(
  db: Db,
  member: MemberRow,
  { audience, permission, operation, projectId }: MemberCall,
): Promise<Principals[Audience]> {
  const keyId = `${PREFIX}${member.id}`
  if (audience === 'organization') {
    if (!isAdministrator(member)) throw denied('This operation needs the role administrator or owner.')
    if (member.role !== 'owner' && OWNER_OPERATIONS.has(operation ?? ''))
      throw denied('This operation needs the role owner.')
    return { organizationId: member.organization_id, keyId, permissions: null }
  }
  const permissions = projectId === undefined ? null : permissionsIn(member, projectId)
  if (permissions === undefined)
    throw new ApiError('Project_NotFound', `There is no project ${projectId?.slice(0, 64)} that you may use.`)
  const project = await projectPrincipal(db, member.organization_id, projectId)
  if (permissions !== null) assertAllowed(permissions, permission, operation)
  return { ...project, keyId, permissions }
}

function assertAllowed(
  permissions: KeyPermissions,
  permission: Permission | undefined,
  operation: string | undefined,
): void {
  if (permission === undefined) {
    if (OPERATIONS_OF_ALL_ROLES.has(operation ?? '')) return
    throw denied('This operation needs the role administrator or owner.')
  }
  if (!hasPermission(permissions, permission))
    throw denied(
      `Your role lacks the permission ${permission.area}:${permission.level}, which this operation requires.`,
    )
}
