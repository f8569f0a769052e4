/**
 * The protocol revision without handshake and session: every request names its version (MCP 2026-07-28,
 * "Versioning").
 */
export const MODERN = '2026-07-28'

/** Revisions that start with `initialize`, newest first. The first one is offered. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Name and version of this client. */
export const CLIENT = { name: 'patchbay', version: '0.1' } as const

/** Codes of JSON-RPC errors that only servers of the modern revision send ("Error Codes"). */
export const UNSUPPORTED_VERSION = -32022
export const MODERN_ERRORS: readonly number[] = [-32020, -32021, UNSUPPORTED_VERSION]
export const METHOD_NOT_FOUND = -32601
