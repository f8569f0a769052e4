import type { EgressResponse } from '../../platform/egress/index.ts'
import type { EngineDeps } from '../dependencies.ts'
import { fileNameOf } from '../files/file-name.ts'
import type { ProxyCall, ProxyResponse, ResolvedTool, ToolConnection } from '../types.ts'
import { INLINE_BYTES_MAX, isTextual, parseText } from './provider-response.ts'
import { redactorFor } from './redactor.ts'

/** Cookies are credentials of the connection. The other headers apply to one hop (RFC 9110 §7.6.1). */
const REMOVED_HEADERS = new Set([
  'set-cookie',
  'set-cookie2',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'proxy-authenticate',
])

/** Returns JSON and text as data. Bytes, and text that is too long or too complex for a response, become a file. */
export async function toProxyResponse(
  { files }: EngineDeps,
  call: ProxyCall,
  { toolkit, tool }: ResolvedTool,
  connection: ToolConnection,
  reply: EgressResponse,
): Promise<ProxyResponse> {
  const { status, body } = reply
  const headers = forwardedHeaders(reply)
  if (!body.length) return { status, headers, data: null }
  const data = parseData(reply, connection)
  if (data !== undefined) return { status, headers, data }
  const mimetype = String(reply.headers['content-type'] || 'text/plain')
  const name = fileNameOf(reply, mimetype)
  const file = { name, mimetype, bytes: body, toolkit: toolkit.slug, tool: tool.slug }
  return { status, headers, file: await files.save(call.projectId, file, call.settings.fileUrlSeconds) }
}

/** Returns the value of a body; undefined for a body that becomes a file. */
function parseData({ status, headers, body }: EgressResponse, connection: ToolConnection): unknown {
  const type = String(headers['content-type'] ?? '')
  if ((type && !isTextual(type)) || body.length > INLINE_BYTES_MAX) return undefined
  const text = body.toString('utf8')
  // Some applications repeat a rejected credential in their error.
  return parseText(status < 400 ? text : redactorFor(connection)(text))
}

const forwardedHeaders = ({ headers }: EgressResponse): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !REMOVED_HEADERS.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
