import type { McpPeer } from './client.ts'
import { isObject, type JsonObject, getOwn } from '../../json-object.ts'
import { CLIENT } from './versions.ts'

/** Streams are read while they arrive, which is not possible for compressed ones. */
const ALWAYS = { accept: 'application/json, text/event-stream', 'accept-encoding': 'identity' }

/** Returns the headers that MCP requires (2025-11-25 "Transports", 2026-07-28 "Request Metadata"). */
export function requestHeaders(peer: McpPeer, method: string, params: JsonObject): Record<string, string> {
  const version: Record<string, string> = peer.version === '' ? {} : { 'mcp-protocol-version': peer.version }
  if (peer.era === 'legacy')
    return { ...ALWAYS, ...version, ...(peer.session !== undefined && { 'mcp-session-id': peer.session }) }
  const name = method === 'tools/call' ? getOwn(params, 'name') : undefined
  return {
    ...ALWAYS,
    ...version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  }
}

/**
 * Adds the metadata of the modern revision, which has no handshake: each request names its revision and
 * client, and announces no capabilities.
 */
export function withMeta(peer: McpPeer, params: JsonObject): JsonObject {
  if (peer.era === 'legacy') return params
  const meta = {
    'io.modelcontextprotocol/protocolVersion': peer.version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...params, _meta: { ...(isObject(params['_meta']) ? params['_meta'] : {}), ...meta } }
}

const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/
const SENTINEL = /^=\?base64\?.*\?=$/s

/**
 * Encodes a value for a header: unchanged if that is safe, else in base64 with markers (2026-07-28 "Value
 * Encoding").
 */
export function encodeHeaderValue(value: string): string {
  return PLAIN.test(value) && !SENTINEL.test(value)
    ? value
    : `=?base64?${Buffer.from(value.toWellFormed()).toString('base64')}?=`
}
