import { LRUCache } from 'lru-cache'
import { createCache } from '../../platform/cache.ts'
import type { JsonObject } from '../../platform/json-object.ts'
import { type Era, LEGACY, type McpClient, McpError, MODERN, type McpPeer } from '../../platform/mcp/index.ts'
import type { ToolCall, ToolConnection } from '../types.ts'

const SESSIONS_MAX = 2_000
/** Servers end unused sessions. A call with an ended session needs two requests more. */
const SESSION_MS = 10 * 60_000
const ERA_MS = 60 * 60_000

/**
 * Sessions with MCP servers, and the protocol generation of each server, in this process and for some minutes. A
 * session is used only for the account or the user it was started for. Servers that remember something between
 * calls need this; a session that has ended is started again.
 */
export interface McpSessions {
  readonly peers: LRUCache<string, McpPeer>
  readonly eras: LRUCache<string, Era>
}

export const createMcpSessions = (): McpSessions => ({
  peers: createCache({ max: SESSIONS_MAX, ttl: SESSION_MS }),
  eras: createCache({ max: SESSIONS_MAX, ttl: ERA_MS }),
})

const MODERN_PEER: McpPeer = { era: 'modern', version: MODERN }
const LEGACY_PEER: McpPeer = { era: 'legacy', version: LEGACY[0]! }

/** A server, and a function that names the session. The session key changes when the credentials change. */
export interface McpServer {
  readonly key: string
  readonly sessionKey: () => string | undefined
}

type SendCall = (peer: McpPeer) => Promise<JsonObject>

export const serverKey = (projectId: string, toolkit: { slug: string; version: string }) =>
  `${projectId}\n${toolkit.slug}\n${toolkit.version}`

/** Returns the key of a session; undefined for a caller without an account or a user id, who has no session. */
export function sessionKey(
  server: string,
  { userId }: ToolCall,
  connection: ToolConnection,
): string | undefined {
  if (connection.kind === 'account') {
    return `${server}\naccount\n${connection.account.id}\n${connection.account.version}`
  }
  return connection.kind === 'none' && userId !== undefined ? `${server}\nuser\n${userId}` : undefined
}

/** Returns the peer of an open session, or of a server that has no sessions. */
export function knownPeer(sessions: McpSessions, server: McpServer): McpPeer | undefined {
  return sessions.eras.get(server.key) === 'modern'
    ? MODERN_PEER
    : sessions.peers.get(server.sessionKey() ?? '')
}
export const peerForDryRun = (sessions: McpSessions, server: McpServer): McpPeer =>
  knownPeer(sessions, server) ?? LEGACY_PEER

/**
 * Calls a server with an open session if there is one. A server that does not know the session any more rejects the
 * call with a 4xx before it does anything; then a new session is started.
 */
export async function callInSession(
  sessions: McpSessions,
  client: McpClient,
  server: McpServer,
  send: SendCall,
): Promise<JsonObject> {
  const known = knownPeer(sessions, server)
  if (known) {
    try {
      return await send(known)
    } catch (error) {
      if (!isUnknownSession(error)) throw error
      if (known === MODERN_PEER) sessions.eras.delete(server.key)
      else sessions.peers.delete(server.sessionKey() ?? '')
    }
  }
  const peer = await startSession(sessions, client, server)
  try {
    const result = await send(peer)
    storeSession(sessions, client, server, peer)
    return result
  } catch (error) {
    if (isUnknownSession(error)) void client.endSession(peer)
    else storeSession(sessions, client, server, peer)
    throw error
  }
}

async function startSession(sessions: McpSessions, client: McpClient, server: McpServer): Promise<McpPeer> {
  const era = sessions.eras.get(server.key)
  try {
    return await connectAs(era)
  } catch (error) {
    if (era === undefined || !isUnknownSession(error)) throw error
    sessions.eras.delete(server.key)
    return await connectAs(undefined)
  }

  async function connectAs(known: Era | undefined): Promise<McpPeer> {
    const { peer } = await client.connect(known)
    sessions.eras.set(server.key, peer.era)
    return peer
  }
}

/** The credentials may have changed since the start of the call, so the key is made again. */
function storeSession({ peers }: McpSessions, client: McpClient, server: McpServer, peer: McpPeer): void {
  if (peer.era === 'modern') return
  const key = server.sessionKey()
  if (key !== undefined && !peers.has(key)) peers.set(key, peer)
  else void client.endSession(peer)
}

/** The server does not know the session, or uses another revision of the protocol than before. */
const isUnknownSession = (error: unknown): boolean =>
  error instanceof McpError && [400, 404, 405, 410].includes(error.reply?.status ?? 0)
