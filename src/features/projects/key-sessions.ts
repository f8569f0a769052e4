import type { Audience, Permission } from '../../contract/route.ts'
import { hashKey } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Principals } from '../../platform/http/call.ts'
import { assertKeyAllows, assertNotExpired, principalOf } from './api-keys/authenticate.ts'
import { findKeyHolder, findKeyHolderById, type KeyHolder } from './api-keys/store.ts'
import { projectSettings } from './project-config.ts'
import { findProject } from './store.ts'

export type { KeyHolder } from './api-keys/store.ts'

/** Finds the key that a person signs in with, and checks that it may be used now, from this IP address. */
export async function findKeyForSignIn(
  db: Db,
  key: string,
  { ip, now }: { ip: string; now: number },
): Promise<KeyHolder | undefined> {
  const holder = await findKeyHolder(db, hashKey(key))
  // What the key may do is checked on every call.
  if (!holder) return undefined
  assertNotExpired(holder, now)
  assertKeyAllows({ ...holder, permissions: null }, undefined, ip)
  return holder
}

export interface KeySessionCall {
  audience: Exclude<Audience, 'public'>
  permission: Permission | undefined
  ip: string
  now: number
  /** Project that the caller works in; undefined if it names none. */
  projectId: string | undefined
}

/**
 * Returns the principal of a call that is made in the name of a key: exactly what the key itself may do. A key of the
 * organization may also work in each of its projects.
 * @throws ApiError 400, 403, 404
 */
export async function authenticateAsKey(
  db: Db,
  holder: KeyHolder,
  { audience, permission, ip, now, projectId }: KeySessionCall,
): Promise<Principals[Audience]> {
  assertNotExpired(holder, now)
  // The areas of organization keys allow nothing in projects, although one has the same name in both.
  if (holder.kind === 'organization' && audience === 'project' && holder.permissions !== null)
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      'You are signed in with a restricted key of the organization, which cannot be used in projects.',
    )
  assertKeyAllows(holder, permission, ip)
  if (holder.kind === audience) {
    if (projectId !== undefined && holder.project_id !== null && projectId !== holder.project_id)
      throw notAProjectOfKey(projectId)
    return principalOf(holder)
  }
  if (audience === 'organization')
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      'This operation needs a key of the organization. You are signed in with a key of a project.',
    )
  const organizationId = holder.organization_id
  return { ...(await projectPrincipal(db, organizationId, projectId)), keyId: holder.id, permissions: null }
}

/** Returns the project that a caller works in, as part of a principal. @throws ApiError 400, 404 */
export async function projectPrincipal(
  db: Db,
  organizationId: string,
  projectId: string | undefined,
): Promise<Pick<Principals['project'], 'projectId' | 'organizationId' | 'settings'>> {
  if (projectId === undefined)
    throw new ApiError('Console_ProjectRequired', 'The header x-patchbay-project is missing.')
  const project = await findProject(db, organizationId, projectId)
  if (!project) throw notAProjectOfKey(projectId)
  return { projectId: project.id, organizationId, settings: projectSettings(project.config) }
}

const notAProjectOfKey = (id: string) =>
  new ApiError('Project_NotFound', `There is no project ${id.slice(0, 64)} that this session may use.`)

export const findKeyById = (db: Db, id: string): Promise<KeyHolder | undefined> => findKeyHolderById(db, id)
