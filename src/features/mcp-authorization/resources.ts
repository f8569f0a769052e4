/** The resource that a token grants access to: one MCP server or one session. */
export interface ProtectedResource {
  kind: 'mcp_server' | 'session'
  id: string
}

/** A resource as the authorization pages show it. */
export interface ResourceDetails {
  projectId: string
  name: string
  /** Names of its toolkits. */
  toolkits: readonly string[]
  /** The only user that may sign in, for a session. */
  userId?: string | undefined
}

export interface ResourceKind {
  kind: ProtectedResource['kind']
  /** Matches its paths below PUBLIC_URL. The first group is the id. */
  path: RegExp
  /** Returns undefined if it does not exist. */
  find(id: string): Promise<ResourceDetails | undefined>
}

/** A resource indicator. `userId`: the `user_id` in its query. */
export interface ResourceReference extends ProtectedResource {
  userId: string | undefined
}

const URL_CHARACTERS_MAX = 4_096
const USER_ID_CHARACTERS_MAX = 256

/** Returns the path below PUBLIC_URL, or undefined for any other URL. */
function pathBelow(publicUrl: string, url: URL): string | undefined {
  const publicBase = new URL(publicUrl)
  const base = publicBase.pathname.replace(/\/+$/, '')
  return url.origin === publicBase.origin && url.pathname.startsWith(`${base}/`)
    ? url.pathname.slice(base.length)
    : undefined
}

/** Whether a path has the form of a resource. Does not check whether the resource exists. */
export const isResourcePath = (kinds: readonly ResourceKind[], path: string): boolean =>
  kinds.some((kind) => kind.path.test(path))

/**
 * Reads a resource indicator (RFC 8707 §2): an absolute URL without a fragment. Returns undefined for a URL of another
 * server, and for one with several users.
 */
export function readResource(
  kinds: readonly ResourceKind[],
  publicUrl: string,
  text: string,
): ResourceReference | undefined {
  // A URL parser removes control characters and spaces, so that the text would differ from the URL.
  const url = text.length <= URL_CHARACTERS_MAX && !/[\0-\x20\x7f]/.test(text) ? URL.parse(text) : null
  if (!url || url.hash || text.includes('#') || url.username || url.password) return undefined
  const path = pathBelow(publicUrl, url)
  const users = [
    ...new Set(
      url.searchParams
        .getAll('user_id')
        .flatMap((value) => value.split(','))
        .filter(Boolean),
    ),
  ]
  if (
    path === undefined ||
    users.length > 1 ||
    users.some((user) => user.length > USER_ID_CHARACTERS_MAX || user.includes('\0'))
  )
    return undefined
  for (const { kind, path: pattern } of kinds) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined) return { kind, id, userId: users[0] }
  }
  return undefined
}

export const findResource = (
  kinds: readonly ResourceKind[],
  { kind, id }: ProtectedResource,
): Promise<ResourceDetails | undefined> =>
  kinds.find((candidate) => candidate.kind === kind)?.find(id) ?? Promise.resolve(undefined)
