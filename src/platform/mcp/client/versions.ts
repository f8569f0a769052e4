/** The revision of the protocol without handshake and session: every request says its version (MCP 2026-07-28, "Versioning"). */
export const MODERN = '2026-07-28'

/** Revisions that begin with `initialize`, newest first; the first is offered. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Who we say that we are. */
export const CLIENT = { name: 'patchbay', version: '0.1' } as const

/** Codes of JSON-RPC errors that only a server of the modern revision sends ("Error Codes"). */
export const UNSUPPORTED_VERSION = -32022
export const MODERN_ERRORS: readonly number[] = [-32020, -32021, UNSUPPORTED_VERSION]
export const METHOD_NOT_FOUND = -32601
