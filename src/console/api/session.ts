import { useQuery } from '@tanstack/react-query'
import { callConsole } from './client.ts'
import type { ApiFailure } from './failure.ts'
import { currentProject } from './project.ts'
import { useStore } from './store.ts'
import { repeatWhenLimited } from './transport.ts'

/** The signed-in person, as `/console/auth/me` returns it. */
export interface SignedIn {
  kind: 'project_key' | 'organization_key' | 'member'
  name: string
  /** Null for a key. */
  email: string | null
  role: 'owner' | 'admin' | 'member' | null
  has_second_factor: boolean
  /** Whether operations of the organization are allowed: projects, keys, members. */
  is_administrator: boolean
  /** Projects that the person may use. */
  projects: readonly { id: string; name: string; is_demo: boolean; permissions: Permissions }[]
  session: { id: string; expires_at: string }
}

/** Levels by permission area; null without restrictions. */
type Permissions = Readonly<Record<string, readonly string[]>> | null

/** The signed-in person in the current project. */
export interface Me extends SignedIn {
  permissions: Permissions
}

export const ME_KEY = ['me'] as const

export function useMe() {
  const project = useStore(currentProject)
  return useQuery<SignedIn, ApiFailure, Me>({
    queryKey: ME_KEY,
    queryFn: ({ signal }) => repeatWhenLimited(() => callConsole<SignedIn>('GET', '/auth/me'), signal),
    retry: false,
    // A page that asks who is signed in must not ask again: the frame would take it for the first question.
    retryOnMount: false,
    select: (person) => ({ ...person, permissions: permissionsIn(person, project) }),
  })
}

/** In a project that the person has lost, nothing is allowed. */
function permissionsIn({ projects }: SignedIn, id: string | undefined): Permissions {
  const project = id === undefined ? projects[0] : projects.find((one) => one.id === id)
  return project ? project.permissions : {}
}

/**
 * Whether the person may call operations with this permission in the current project, such as `webhooks:write`.
 * `administrator`: operations of the organization. `unrestricted`: operations without a permission area.
 */
export function may(me: Me | undefined, permission: string): boolean {
  if (!me) return false
  if (permission === 'administrator') return me.is_administrator
  if (permission === 'member') return me.kind === 'member'
  if (me.permissions === null) return true
  const [area = '', level = 'read'] = permission.split(':')
  return Boolean(me.permissions[area]?.includes(level))
}

interface Boot {
  version: string
  public_url: string
  sign_in: {
    is_sso_only: boolean
    /** The identity provider; null if there is none. */
    sso: { name: string } | null
  }
}

/** Version and URL of the server, and how people sign in. */
export const useBoot = () =>
  useQuery<Boot, ApiFailure>({
    queryKey: ['boot'],
    queryFn: ({ signal }) => repeatWhenLimited(() => callConsole<Boot>('GET', '/boot.json'), signal),
    staleTime: Infinity,
  })
