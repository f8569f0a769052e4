import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { getOwn, isObject } from '../../json-object.ts'
import { headerOf } from './mcp-request.ts'

/**
 * Suffix of the ids of sessions whose client supports URL elicitation (MCP 2025-11-25, "URL mode
 * elicitation"). Nothing else carries this to the next request.
 */
export const URL_ELICITATION_SUFFIX = '.u'

export const supportsUrlElicitation = (capabilities: unknown): boolean =>
  isObject(getOwn(getOwn(capabilities, 'elicitation'), 'url'))

/** Returns the id of a new session. It only lets a client cancel its requests: the server stores nothing about it. */
export const newSessionId = (capabilities: unknown): string =>
  randomUUID() + (supportsUrlElicitation(capabilities) ? URL_ELICITATION_SUFFIX : '')

/** Returns the session that a request names, or null. */
export const sessionOf = (headers: IncomingHttpHeaders): string | null =>
  headerOf(headers, 'mcp-session-id') ?? null
