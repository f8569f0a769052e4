import { LRUCache } from 'lru-cache'
import type { FoundTool } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import type { JsonObject } from '../../platform/json-object.ts'
import {
  type Era,
  headerValue,
  LEGACY,
  type McpClient,
  mcpClient,
  McpError,
  type McpReply,
  type McpRequest,
  MODERN,
  type Peer,
} from '../../platform/mcp/index.ts'
import type { Connection, EngineDeps, Execution, Result } from '../types.ts'
import { timeoutMsOf } from './build-request.ts'
import { mcpFailure, mcpResult } from './mcp-result.ts'
import { exchange, send } from './send.ts'
import { failure } from './shape-result.ts'

const PEERS_MAX = 2_000
/** Of one reply: what is read here becomes values in memory, not a file. */
const BYTES_MAX = 10 * 1024 * 1024
/** A server ends sessions that nobody uses; one that did costs a call two requests more. */
const SESSION_MS = 10 * 60_000
const ERA_MS = 60 * 60_000

/**
 * Runs tools of remote MCP servers. A session is kept for the account (or the user) it was begun for and for nobody else, in this process and for some
 * minutes: servers that remember something between calls then do. It is a convenience; a session that is gone is begun anew.
 */
export function mcpRunner() {
  const peers = new LRUCache<string, Peer>({ max: PEERS_MAX, ttl: SESSION_MS })
  const eras = new LRUCache<string, Era>({ max: PEERS_MAX, ttl: ERA_MS })

  return async function runMcp(
    deps: EngineDeps,
    execution: Execution,
    found: FoundTool,
    connection: Connection,
  ): Promise<Result> {
    const { tool } = found
    if (!tool.mcp) throw new Error(`${tool.slug} calls no MCP server`)
    const bytesMax = tool.limits.responseBytes ?? BYTES_MAX
    let current = connection
    const client = mcpClient({
      timeoutMs: timeoutMsOf(found),
      signal: execution.signal,
      async send(request): Promise<McpReply> {
        const rendered = renderedFrom(request)
        const { timeoutMs, take } = request
        const manner = {
          timeoutMs,
          ...(take && { take }),
          prepares: request.purpose === 'prepare',
          way: { bytesMax, sensitiveHeaders: ['mcp-session-id'] },
        }
        if (request.purpose === 'aside')
          return exchange(deps, request.signal, found, current, rendered, manner)
        const sent = await send(deps, execution, found, current, rendered, manner)
        current = sent.connection
        return sent.answer
      },
    })
    const server = `${execution.projectId}\n${found.toolkit.slug}\n${found.toolkit.version}`
    const params: JsonObject = { name: tool.mcp.tool, arguments: execution.arguments }
    const headers = parameterHeaders(found, execution)
    const call = (peer: Peer) => client.request(peer, 'call', 'tools/call', params, headers)
    try {
      return mcpResult(found, await withPeer(client, server, call))
    } catch (error) {
      if (error instanceof McpError) return mcpFailure(found, error)
      if (error instanceof EgressError && error.kind === 'too_large')
        return failure(
          413,
          `The answer of the MCP server is larger than ${bytesMax} bytes; ask for less at once.`,
        )
      throw error
    }

    /** With the peer of before where there is one; a server that does not know it any more refuses with a 4xx, before it has done anything. */
    async function withPeer(
      client: McpClient,
      server: string,
      call: (peer: Peer) => Promise<JsonObject>,
    ): Promise<JsonObject> {
      const kept =
        eras.get(server) === 'modern' ? MODERN_PEER : peers.get(keyFor(server, execution, current) ?? '')
      // What is shown in place of being sent is the call, not what comes before it.
      if (execution.dryRun) return call(kept ?? LEGACY_PEER)
      if (kept) {
        try {
          return await call(kept)
        } catch (error) {
          if (!isForgotten(error)) throw error
          if (kept === MODERN_PEER) eras.delete(server)
          else peers.delete(keyFor(server, execution, current) ?? '')
        }
      }
      const peer = await met(client, server)
      try {
        const result = await call(peer)
        keep(client, peer, server)
        return result
      } catch (error) {
        if (isForgotten(error)) void client.leave(peer)
        else keep(client, peer, server)
        throw error
      }
    }

    /** The credentials may be others than at the beginning, so the key is too. */
    function keep(client: McpClient, peer: Peer, server: string): void {
      const key = keyFor(server, execution, current)
      if (peer.era === 'modern') return
      if (key !== undefined && !peers.has(key)) peers.set(key, peer)
      else void client.leave(peer)
    }
  }

  async function met(client: McpClient, server: string): Promise<Peer> {
    const known = eras.get(server)
    try {
      const { peer } = await client.meet(known)
      eras.set(server, peer.era)
      return peer
    } catch (error) {
      if (known === undefined || !isForgotten(error)) throw error
      eras.delete(server)
      const { peer } = await client.meet()
      eras.set(server, peer.era)
      return peer
    }
  }
}

export type RunMcp = ReturnType<typeof mcpRunner>

const MODERN_PEER: Peer = { era: 'modern', version: MODERN }
const LEGACY_PEER: Peer = { era: 'legacy', version: LEGACY[0]! }

const renderedFrom = ({ method, headers, message }: McpRequest) => ({
  method,
  path: '',
  query: [],
  headers: { ...headers },
  body: message,
  bodyType: 'json' as const,
})

/** The server does not know the session, or speaks another revision than it did. */
const isForgotten = (error: unknown): boolean =>
  error instanceof McpError && [400, 404, 405, 410].includes(error.reply?.status ?? 0)

/** Whose session it is; undefined when nobody is told apart from others, and then none is kept. */
function keyFor(server: string, { userId }: Execution, connection: Connection): string | undefined {
  if (connection.kind === 'account')
    return `${server}\naccount\n${connection.account.id}\n${connection.account.version}`
  return connection.kind === 'none' && userId !== undefined ? `${server}\nuser\n${userId}` : undefined
}

/** Arguments that a server wants in a header too; what is absent, null or no plain value is left out (MCP 2026-07-28 "Custom Headers"). */
function parameterHeaders({ tool }: FoundTool, { arguments: args }: Execution): Record<string, string> {
  const values = (tool.mcp?.headers ?? []).map(({ name, value }) => [name, value(args)] as const)
  return Object.fromEntries(
    values
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [`mcp-param-${name}`, headerValue(String(value))]),
  )
}
