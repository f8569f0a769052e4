import type { ProbeRequestManifest } from '../../format/index.ts'
import { compilePath } from '../template/paths.ts'
import type { Lookup, RenderedRequest } from '../../../types/index.ts'
import { compileRequest, renderRequest } from './request.ts'
import { MissingValue } from '../template/errors.ts'
import { compileTemplate, renderOptional, valueToText } from '../template/templates.ts'

const TEXT_MAX = 300
/** Template errors were reported when the toolkit was loaded. */
const IGNORE_DIAGNOSTICS = { add() {} }

/**
 * A request that takes nothing but the values of a connection, its places filled. @throws MissingValue,
 * UnsafeValue
 */
export function renderProbeRequest(
  { method = 'GET', ...request }: ProbeRequestManifest,
  connection: Lookup,
): RenderedRequest {
  return renderRequest(
    compileRequest(
      { ...request, method },
      { args: NO_NAMES, usedArgs: new Set(), usedConnection: new Set(), report: IGNORE_DIAGNOSTICS },
      '',
    ),
    {},
    connection,
  )
}

const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * A text of a reply: at a path, or made of the connection by a template. Null where there is none, or
 * something else than a text or a number.
 */
export function readReplyText(member: string | undefined, reply: unknown, connection: Lookup): string | null {
  if (member === undefined) return null
  const value = member.includes('{') ? renderOrUndefined(member, connection) : compilePath(member)(reply)
  if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value))) return null
  return (
    (valueToText(value) ?? '')
      .slice(0, TEXT_MAX)
      .replace(/[\0-\x1f\x7f]/g, ' ')
      .toWellFormed()
      .trim() || null
  )
}

function renderOrUndefined(template: string, connection: Lookup): string | undefined {
  try {
    return renderOptional(compileTemplate(template), connection)
  } catch (error) {
    if (error instanceof MissingValue) return undefined
    throw error
  }
}
