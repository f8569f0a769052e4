import type { FoundTool } from '../../catalog/index.ts'
import { isObject, type JsonObject, getOwn, nonEmptyString } from '../../platform/json-object.ts'
import type { McpError } from '../../platform/mcp/index.ts'
import type { Result } from '../types.ts'
import { failure, MESSAGE_MAX, shapeResult } from './shape-result.ts'

const OK = 200
const LINKS_MAX = 5
const HEADER_MISMATCH = -32020

/** What a tool of an MCP server answered (`CallToolResult`) as the result of ours. An error of the tool is for the model: its text is the error. */
export function mcpResult(found: FoundTool, result: JsonObject): Result {
  const blocks = blocksOf(result)
  if (getOwn(result, 'isError') === true) {
    const said = blocks
      .flatMap((block) =>
        getOwn(block, 'type') === 'text' ? (nonEmptyString(getOwn(block, 'text')) ?? []) : [],
      )
      .join('\n')
    return failure(OK, said.slice(0, MESSAGE_MAX) || 'The tool failed and did not say why.')
  }
  return shapeResult(found, { status: OK, headers: {}, body: bodyOf(result, blocks) })
}

/**
 * The structured content where there is some, with what is no text beside it. Else one text, as JSON if it is an object or a list: a number may be a
 * note that says "42". Several blocks, and images, sounds and resources, stand under `content` as they came.
 */
function bodyOf(result: JsonObject, blocks: readonly JsonObject[]): unknown {
  const structured = getOwn(result, 'structuredContent')
  const media = blocks.filter((block) => getOwn(block, 'type') !== 'text')
  if (structured !== undefined && structured !== null) {
    return media.length > 0 && isObject(structured) && !Object.hasOwn(structured, 'content')
      ? { ...structured, content: media }
      : structured
  }
  const [only] = blocks
  if (!only) return undefined
  if (blocks.length > 1 || media.length > 0) return { content: blocks }
  const text = String(getOwn(only, 'text') ?? '')
  return /^\s*[{[]/.test(text) ? parsed(text) : text
}

function blocksOf(result: JsonObject): JsonObject[] {
  const content = getOwn(result, 'content')
  return Array.isArray(content) ? content.filter(isObject).map(({ _meta: _, ...block }) => block) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Why there is no result. A refusal over HTTP reads as that of any application. */
export function mcpFailure(found: FoundTool, error: McpError): Result {
  const status = error.reply?.status ?? null
  if (status !== null && status >= 300 && status < 400)
    return failure(
      status,
      'The MCP server sends on to another address, which is not followed. Import the server by the address that it sends to.',
    )
  if (error.kind === 'status' && error.reply) return withScope(shapeResult(found, error.reply), error)
  const stale = error.code === HEADER_MISMATCH ? ' The tool may have changed; import the server again.' : ''
  return failure(status, `${error.message}${linksIn(error.data)}${stale}`.slice(0, MESSAGE_MAX))
}

/** A token that may too little: the challenge says what it lacks (RFC 6750 §3.1). */
function withScope(result: Result, { reply }: McpError): Result {
  const scope = /\bscope="([^"]{1,500})"/.exec(
    String(reply?.headers['www-authenticate'] ?? '').slice(0, 4_000),
  )?.[1]
  if (reply?.status !== 403 || scope === undefined) return result
  const error = `${result.error ?? ''} The connection needs the scope ${scope}; connect again with it.`
  return { ...result, error, data: { ...result.data, message: error } }
}

/** Pages that the user has to visit first (revision 2025-11-25, URL elicitation). */
function linksIn(data: unknown): string {
  const wanted = getOwn(data, 'elicitations')
  const links = Array.isArray(wanted)
    ? wanted.slice(0, LINKS_MAX).flatMap((one) => nonEmptyString(getOwn(one, 'url')) ?? [])
    : []
  return links.length > 0 ? ` The user has to visit ${links.join(' and ')} first.` : ''
}
