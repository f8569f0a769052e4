import { parseBoundedJsonOrUndefined } from '../../../platform/bounded-json.ts'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import { getOwn } from '../../../platform/json-object.ts'
import {
  type McpClient,
  createMcpClient,
  McpError,
  type McpServerInfo,
  egressTransport,
  type McpPeer,
} from '../../../platform/mcp/index.ts'
import { BOUNDS } from '../bounds.ts'
import { ImportRejected } from '../import-rejected.ts'
import { readAddress } from './address.ts'
import type { McpListing, McpSignIn } from './listing.ts'
import { readSignIn } from './sign-in.ts'

export interface ListOptions {
  /** Sent to the server, for listing only; nothing of their values is kept. */
  readonly headers?: Readonly<Record<string, string>>
  /** For everything. Default 40,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 40_000
/** All responses of the server together. They are parsed in the server process. */
const LISTING_BYTES_MAX = 8 * 1024 * 1024
const DOCUMENT_MS = 10_000
const DOCUMENT_BYTES_MAX = 1_000_000
const STREAM_MS = 5_000

/**
 * Reads the identity, all tools and the authorization of a remote MCP server. The network part of an import:
 * `convertMcp` converts the result to a toolkit is answered and reaches nothing. @throws ImportRejected, and
 * EgressError when the server is not reached
 */
export async function listMcp(
  serverUrl: string,
  { headers = {}, timeoutMs = TIMEOUT_MS, signal }: ListOptions,
  egress: Egress,
): Promise<McpListing> {
  const { address, plain, secrets } = readAddress(serverUrl)
  const deadline = performance.now() + timeoutMs
  const client = (at: string, sent: Readonly<Record<string, string>>) =>
    createMcpClient({
      send: egressTransport(egress, at, sent, LISTING_BYTES_MAX),
      timeoutMs: Math.max(1, deadline - performance.now()),
      signal,
    })
  const hasCredentials = Object.keys(headers).length > 0 || secrets.length > 0
  const alone = await attempt(client(plain, {}))
  const answered = hasCredentials ? await attempt(client(address, headers)) : alone
  if (answered.error) throw await importRejection(answered.error, hasCredentials, plain, egress)
  const readJson = async (at: string) => {
    const answer = await egress
      .send({
        method: 'GET',
        url: at,
        headers: { accept: 'application/json' },
        timeoutMs: DOCUMENT_MS,
        bytesMax: DOCUMENT_BYTES_MAX,
        maxRedirects: 0,
        ...(signal && { signal }),
      })
      .catch(() => undefined)
    if (answer?.status !== 200) return undefined
    return parseBoundedJsonOrUndefined(answer.body.toString('utf8'))
  }
  const refused = alone.error?.reply
  const found = await readSignIn(
    plain,
    refused?.status === 401 ? refused.headers['www-authenticate'] : undefined,
    readJson,
    { guess: alone.error !== undefined },
  )
  const { met, tools } = answered
  return {
    address: plain,
    revision: met!.peer.version,
    serverInfo: getOwn(met!.about, 'serverInfo'),
    instructions: getOwn(met!.about, 'instructions'),
    tools: tools!,
    signIn: {
      anonymous: alone.error === undefined,
      ...found,
      headers: Object.entries(headers).map(nameOnly),
      query: secrets,
    },
  }
}

const nameOnly = ([name, value]: [string, string]): McpSignIn['headers'][number] => {
  const word =
    name.toLowerCase() === 'authorization' ? /^([A-Za-z][\w-]{0,30}) +\S/.exec(value)?.[1] : undefined
  return { name: name.toLowerCase(), ...(word !== undefined && { word }) }
}

interface Attempt {
  met?: McpServerInfo
  tools?: unknown[]
  error?: McpError
}

/** Meets a server and lists its tools. Some are open until then. */
async function attempt(client: McpClient): Promise<Attempt> {
  let met: McpServerInfo | undefined
  try {
    met = await client.connect()
    return { met, tools: await allTools(client, met) }
  } catch (error) {
    if (error instanceof McpError) return { error }
    throw error
  } finally {
    if (met) void client.endSession(met.peer)
  }
}

/** Reads all pages of `tools/list`. A server with cyclic cursors or too many pages is rejected. */
async function allTools(client: McpClient, { peer, about }: McpServerInfo): Promise<unknown[]> {
  if (getOwn(getOwn(about, 'capabilities'), 'tools') === undefined)
    throw new ImportRejected(
      'no_operations',
      'The MCP server offers no tools: it declares no such capability.',
    )
  const tools: unknown[] = []
  const seen = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await pageOf(client, peer, cursor)
    tools.push(...page.tools)
    if (tools.length > BOUNDS.mcpTools)
      throw new ImportRejected('too_large', `The MCP server lists more than ${BOUNDS.mcpTools} tools.`)
    cursor = page.next
    if (cursor === undefined) return tools
    if (seen.has(cursor) || seen.size >= BOUNDS.mcpPages)
      throw new ImportRejected(
        'too_large',
        `The list of tools of the MCP server does not end: ${seen.size + 1} pages, and a cursor that was ` +
          'there before or too many of them.',
      )
    seen.add(cursor)
  }
}

async function pageOf(
  client: McpClient,
  peer: McpPeer,
  cursor: string | undefined,
): Promise<{ tools: unknown[]; next: string | undefined }> {
  const page = await client.request(peer, 'prepare', 'tools/list', cursor === undefined ? {} : { cursor })
  const tools = getOwn(page, 'tools')
  if (!Array.isArray(tools))
    throw new McpError('unreadable', 'The MCP server answered the list of its tools without one.')
  const next = getOwn(page, 'nextCursor')
  return { tools, next: typeof next === 'string' && next !== '' ? next : undefined }
}

/** Explains why the server cannot be imported, and what to do next. */
async function importRejection(
  error: McpError,
  hadCredentials: boolean,
  address: string,
  egress: Egress,
): Promise<ImportRejected> {
  const { host } = new URL(address)
  const status = error.reply?.status
  if (status === 401 || status === 403) {
    return new ImportRejected(
      'needs_sign_in',
      hadCredentials
        ? `${host} rejects these credentials (status ${status}). Send others.`
        : `${host} lists its tools only to who is signed in (status ${status}). Import it with ` +
            '`patchbay toolkits import … --sign-in`, or give a token for the import as a header, e.g. ' +
            '`Authorization: Bearer …`; it is used once and not stored. Users sign in with their own afterwards.',
    )
  }
  if (status !== undefined && status >= 300 && status < 400)
    return new ImportRejected(
      'no_address',
      `${host} sends on to another address, which is not followed. Give the address that it sends to.`,
    )
  if (await speaksOldTransport(address, egress)) {
    return new ImportRejected(
      'not_mcp',
      `${host} speaks the transport of 2024 (HTTP with SSE), which is deprecated and not spoken here. ` +
        'Ask for the address of its streamable HTTP endpoint; it often ends in /mcp.',
    )
  }
  return new ImportRejected(
    'not_mcp',
    error.kind === 'status'
      ? `${host} does not answer as an MCP server (status ${status}). Give the whole address of its ` +
          'streamable HTTP endpoint; it often ends in /mcp.'
      : `${host}: ${error.message}`,
  )
}

/**
 * A stream whose first event is `endpoint` is the transport of revision 2024-11-05 ("Backwards
 * Compatibility").
 */
async function speaksOldTransport(address: string, egress: Egress): Promise<boolean> {
  let begin = ''
  const isIt = () => /^event: ?endpoint\s*$/m.test(begin)
  try {
    await egress.send({
      method: 'GET',
      url: address,
      timeoutMs: STREAM_MS,
      bytesMax: DOCUMENT_BYTES_MAX,
      maxRedirects: 0,
      headers: { accept: 'text/event-stream', 'accept-encoding': 'identity' },
      onBody: (_status, headers) =>
        String(headers['content-type']).startsWith('text/event-stream')
          ? (chunk) => {
              begin += chunk.toString('latin1')
              return isIt() || begin.length > 4_000
            }
          : undefined,
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
  }
  return isIt()
}
