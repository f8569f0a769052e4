import type { FoundTool } from '../../catalog/index.ts'
import type { EgressResponse } from '../../platform/egress/index.ts'
import type { Connection, EngineDeps, ProxyAnswer, ProxyCall } from '../types.ts'
import { hiderOf } from './hide.ts'
import { INLINE_BYTES_MAX, isTextual } from './shape-result.ts'
import { fileNameOf } from './file-name.ts'

/** Cookies are credentials of the connection, and the others speak of one hop (RFC 9110 §7.6.1). */
const KEPT_BACK = new Set([
  'set-cookie',
  'set-cookie2',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'proxy-authenticate',
])

/** JSON as JSON and text as text; bytes, and what is too long to stand in a reply, become a file. */
export async function proxyAnswer(
  deps: EngineDeps,
  call: ProxyCall,
  found: FoundTool,
  connection: Connection,
  reply: EgressResponse,
): Promise<ProxyAnswer> {
  const { status, body } = reply
  const headers = Object.fromEntries(
    Object.entries(reply.headers)
      .filter(([name]) => !KEPT_BACK.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  if (!body.length) return { status, headers, data: null }
  const type = String(reply.headers['content-type'] ?? '')
  if ((type && !isTextual(type)) || body.length > INLINE_BYTES_MAX) {
    const { toolkit, tool } = found
    const mimetype = type || 'text/plain'
    return {
      status,
      headers,
      file: await deps.files.save(
        call.projectId,
        { name: fileNameOf(reply, mimetype), mimetype, bytes: body, toolkit: toolkit.slug, tool: tool.slug },
        call.settings.fileUrlSeconds,
      ),
    }
  }
  const text = body.toString('utf8')
  // Some applications repeat a refused credential in their error.
  return { status, headers, data: parsed(status < 400 ? text : hiderOf(connection)(text)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
