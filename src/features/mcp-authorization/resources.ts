/** What a token is good for: one server, or one session. */
export interface Resource {
  kind: 'mcp_server' | 'session'
  id: string
}

/** What stands at an address that clients sign in for. */
export interface Found {
  projectId: string
  name: string
  /** Names of what its tools are of. */ toolkits: readonly string[]
  /** It acts for this user only. */ userId?: string | undefined
}

export interface ResourceKind {
  kind: Resource['kind']
  /** Its addresses below PUBLIC_URL; the first group is the id. */
  path: RegExp
  /** Undefined: there is none. */
  find(id: string): Promise<Found | undefined>
}

/** A resource as a client names it; `userId`: its address names one. */
export interface Named extends Resource {
  userId: string | undefined
}

const LONG = 4_096
const USER_MAX = 256

/** The path of an address below PUBLIC_URL; undefined for any other. */
function pathBelow(publicUrl: string, url: URL): string | undefined {
  const home = new URL(publicUrl)
  const base = home.pathname.replace(/\/+$/, '')
  return url.origin === home.origin && url.pathname.startsWith(`${base}/`)
    ? url.pathname.slice(base.length)
    : undefined
}

/** Whether a path is one that clients sign in for; nothing is looked up. */
export const isResourcePath = (kinds: readonly ResourceKind[], path: string): boolean =>
  kinds.some((kind) => kind.path.test(path))

/** Reads a resource indicator (RFC 8707 §2): absolute, without a fragment. Undefined when it is none of this server's, or names more than one user. */
export function readResource(
  kinds: readonly ResourceKind[],
  publicUrl: string,
  text: string,
): Named | undefined {
  const url = text.length <= LONG ? URL.parse(text) : null
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
    users.some((user) => user.length > USER_MAX || user.includes('\0'))
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
  { kind, id }: Resource,
): Promise<Found | undefined> =>
  kinds.find((one) => one.kind === kind)?.find(id) ?? Promise.resolve(undefined)
