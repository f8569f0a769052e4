import type { ResolvedTool } from '../../catalog/index.ts'
import { getOwn, isObject, type JsonObject, nonEmptyString } from '../../platform/json-object.ts'
import type { McpError } from '../../platform/mcp/index.ts'
import { parseText } from '../http/provider-response.ts'
import { failedResult, MESSAGE_MAX, toToolResult } from '../http/tool-result.ts'
import type { ToolResult } from '../types.ts'

const OK = 200
const LINKS_MAX = 5
const HEADER_MISMATCH = -32020

/** Returns the `CallToolResult` of an MCP server as a result. The text of an error is for the model. */
export function mcpResult(tool: ResolvedTool, result: JsonObject): ToolResult {
  const blocks = blocksOf(result)
  if (getOwn(result, 'isError') === true) {
    const texts = blocks.flatMap((block) =>
      getOwn(block, 'type') === 'text' ? (nonEmptyString(getOwn(block, 'text')) ?? []) : [],
    )
    const message = texts.join('\n').slice(0, MESSAGE_MAX)
    return failedResult(OK, message || 'The tool failed and did not say why.')
  }
  return toToolResult(tool, { status: OK, headers: {}, body: bodyOf(result, blocks) })
}

/**
 * Returns the structured content with the blocks that are not text, if there is structured content. A single text
 * is parsed as JSON if it is an object or a list: a number may be a note that says "42". Several blocks, and
 * images, sounds and resources, are in `content` as they arrived.
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
  return /^\s*[{[]/.test(text) ? (parseText(text) ?? text) : text
}

function blocksOf(result: JsonObject): JsonObject[] {
  const content = getOwn(result, 'content')
  return Array.isArray(content) ? content.filter(isObject).map(withoutMeta) : []
}

const withoutMeta = (block: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(block).filter(([name]) => name !== '_meta'))

/** Returns why there is no result. An HTTP error reads like that of any application. */
export function mcpFailure(tool: ResolvedTool, error: McpError): ToolResult {
  const status = error.reply?.status ?? null
  if (status !== null && status >= 300 && status < 400) {
    return failedResult(
      status,
      'The MCP server redirects to another URL. Redirects are not followed. Import the server with that URL.',
    )
  }
  if (error.kind === 'status' && error.reply) return withScope(toToolResult(tool, error.reply), error)
  const advice = error.code === HEADER_MISMATCH ? ' The tool may have changed; import the server again.' : ''
  return failedResult(status, `${error.message}${linksIn(error.data)}${advice}`.slice(0, MESSAGE_MAX))
}

/** Adds the scope that the token lacks, which the challenge names (RFC 6750 §3.1). */
function withScope(result: ToolResult, { reply }: McpError): ToolResult {
  const challenge = String(reply?.headers['www-authenticate'] ?? '').slice(0, 4_000)
  const scope = /\bscope="([^"]{1,500})"/.exec(challenge)?.[1]
  if (reply?.status !== 403 || scope === undefined) return result
  const error = `${result.error ?? ''} The connection needs the scope ${scope}; connect again with it.`
  return { ...result, error, data: { ...result.data, message: error } }
}

/** Returns the pages that the user has to visit first (revision 2025-11-25, URL elicitation). */
function linksIn(data: unknown): string {
  const elicitations = getOwn(data, 'elicitations')
  const links = Array.isArray(elicitations)
    ? elicitations.slice(0, LINKS_MAX).flatMap((page) => nonEmptyString(getOwn(page, 'url')) ?? [])
    : []
  return links.length > 0 ? ` The user has to visit ${links.join(' and ')} first.` : ''
}
