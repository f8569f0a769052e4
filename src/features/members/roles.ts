import { AREAS, type Area } from '../../contract/route.ts'
import type { ProjectRole } from '../../contract/members.ts'
import type { KeyPermissions } from '../../platform/http/key-permissions.ts'

type Levels = Partial<Record<Area, readonly ('read' | 'write')[]>>

const READ = ['read'] as const
const WRITE = ['read', 'write'] as const

/** Reading what every role may read: everything but credentials, files and sign-in links, which areas protect. */
const VIEWER: Levels = {
  auth_configs: READ,
  connected_accounts: READ,
  tools: READ,
  toolkits: READ,
  triggers: READ,
  webhooks: READ,
  observability: READ,
  sessions: READ,
  approvals: READ,
}

/** What each role may do in a project, in the areas that restricted keys have. Owners and administrators may do all. */
export const ROLE_PERMISSIONS: Readonly<Record<ProjectRole, Levels>> = {
  viewer: VIEWER,
  operator: { ...VIEWER, connected_accounts: WRITE, approvals: WRITE },
  developer: {
    ...VIEWER,
    auth_configs: WRITE,
    connected_accounts: WRITE,
    tool_execution: ['write'],
    proxy_execute: ['write'],
    toolkits: WRITE,
    triggers: WRITE,
    sessions: WRITE,
  },
}

/**
 * Operations without a permission area, which restricted keys cannot call, that every role may call: they only read.
 */
export const OPERATIONS_OF_ALL_ROLES: ReadonlySet<string> = new Set([
  'migration.getNanoid',
  'policies.check',
  'policies.list',
  'policies.read',
  'projectConfig.read',
])

/** Operations of the organization that an administrator may not call: an owner may. */
export const OWNER_OPERATIONS: ReadonlySet<string> = new Set([
  'orgKeys.create',
  'orgKeys.delete',
  'orgKeys.rotate',
  'projects.delete',
  // The role map of the provider can make owners.
  'sso.delete',
  'sso.set',
  'sso.setOnly',
  'sso.test',
])

/** Returns the permissions of a role as a key has them, without levels that an area does not have. */
export const permissionsOf = (role: ProjectRole): KeyPermissions =>
  Object.fromEntries(
    Object.entries(ROLE_PERMISSIONS[role]).map(([area, levels]) => [
      area,
      levels.filter((level) => (AREAS[area as Area] as readonly string[]).includes(level)),
    ]),
  )
