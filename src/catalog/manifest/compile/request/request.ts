import { compileValue, compileTemplateAndNote, type CompileContext, ABSENT } from '../template/values.ts'
import { renderUrl } from '../template/url.ts'
import { pointerSegment } from '../../diagnostics.ts'
import type { RequestManifest } from '../../format/index.ts'
import { percentEncode } from './percent-encode.ts'
import type {
  CompiledRequest,
  Lookup,
  QueryValue,
  RenderedRequest,
  ValueTemplate,
} from '../../../types/index.ts'
import { serializeParameter } from './parameter-serialization.ts'
import { UnsafeValue } from '../template/errors.ts'
import { compileTemplate, lookupFrom, valueToText } from '../template/templates.ts'

/** Compiles the request of a tool; what is wrong goes to the context's reporter. */
export function compileRequest(
  request: RequestManifest,
  useOfTool: CompileContext,
  path: string,
): CompiledRequest {
  const styles = request.query_style ?? {}
  const textArgs = new Set<string>()
  const bodyContext = { ...useOfTool, textArgs }
  // Everything outside the body is text.
  const context = { ...bodyContext, usedArgs: textArgs }
  const compiled: Omit<CompiledRequest, 'textArguments'> = {
    method: request.method,
    path: compileTemplateAndNote(request.path, context, `${path}/path`) ?? compileTemplate(''),
    pathArguments: context.args,
    pathStyles: request.path_style ?? {},
    query: compileParameters(request.query, context, `${path}/query`).map(({ name, value }) => ({
      name,
      value,
      style: Object.hasOwn(styles, name) ? styles[name]! : 'repeat',
    })),
    headers: compileParameters(request.headers, context, `${path}/headers`).map(({ name, value }) => ({
      name: name.toLowerCase(),
      value,
    })),
    cookies: compileParameters(request.cookies, context, `${path}/cookies`),
    body:
      request.body === undefined
        ? undefined
        : compileBody(request.body, request.body_optional ?? false, bodyContext, `${path}/body`),
    bodyType: request.body_type ?? 'json',
    bodyStyles: request.body_style,
    partTypes: request.part_types,
    timeoutSeconds: request.timeout_seconds,
  }
  const textArguments = [...textArgs].filter((name) => useOfTool.args.has(name))
  for (const name of textArguments) useOfTool.usedArgs.add(name)
  return { ...compiled, textArguments }
}

type CompiledParameters = { name: string; value: ValueTemplate }[]

/** `["a"]` is short for `{"a": {"$": "a"}}`. */
function compileParameters(
  shape: string[] | Record<string, unknown> | undefined,
  context: CompileContext,
  path: string,
): CompiledParameters {
  if (shape === undefined) return []
  const entries = Array.isArray(shape)
    ? shape.map((name) => [name, { $: name }] as const)
    : Object.entries(shape)
  return entries.map(([name, value], index) => ({
    name,
    value: compileValue(value, context, path + pointerSegment(Array.isArray(shape) ? index : name)),
  }))
}

function compileBody(body: unknown, optional: boolean, context: CompileContext, path: string): ValueTemplate {
  const names = Array.isArray(body) && body.every((name) => typeof name === 'string')
  const value = compileValue(
    names ? Object.fromEntries(body.map((name: string) => [name, { $: name }])) : body,
    context,
    path,
  )
  if (optional) return value
  // A declared body is sent even when all its fields are left out: providers reject a POST of JSON without
  // any.
  const empty =
    names || (typeof body === 'object' && body !== null && !Array.isArray(body) && !Object.hasOwn(body, '$'))
  return empty
    ? (args, connection) => {
        const filled = value(args, connection)
        return filled === ABSENT ? {} : filled
      }
    : value
}

/**
 * Fills the places of a request with checked arguments and the values of the connection. Throws
 * `MissingValue` where a required value is missing, `UnsafeValue` where one would leave its place.
 */
export function renderRequest(
  request: CompiledRequest,
  args: Readonly<Record<string, unknown>>,
  connection: Lookup,
): RenderedRequest {
  const own = lookupFrom(args)
  const path = renderUrl(
    request.path,
    (name) => (request.pathArguments.has(name) ? own(name) : connection(name)),
    request.pathStyles,
  )
  const query: [string, QueryValue][] = []
  for (const { name, value, style } of request.query) {
    const filled = value(own, connection)
    if (filled !== ABSENT) query.push(...serializeParameter(name, filled, style))
  }
  const headers: Record<string, string> = {}
  for (const { name, value } of request.headers) {
    const filled = value(own, connection)
    const text = filled === ABSENT ? undefined : valueToText(filled)
    if (text === undefined) continue
    headers[name] = headerText(name, text)
  }
  const cookies = request.cookies.flatMap(({ name, value }) => serializeCookie(name, value(own, connection)))
  if (cookies.length > 0)
    headers['cookie'] = [...(headers['cookie'] === undefined ? [] : [headers['cookie']]), ...cookies].join(
      '; ',
    )
  const filled = request.body?.(own, connection)
  const { bodyStyles, partTypes } = request
  return {
    method: request.method,
    path,
    query,
    headers,
    body: filled === ABSENT ? undefined : filled,
    bodyType: request.bodyType,
    ...(bodyStyles && { bodyStyles }),
    ...(partTypes && { partTypes }),
  }
}

/** Percent-encoded, so that no value ends the cookie or begins another (RFC 6265 §4.1.1). */
function serializeCookie(name: string, value: unknown): string[] {
  const text = value === ABSENT ? undefined : valueToText(value)
  return text === undefined ? [] : [`${percentEncode(name)}=${percentEncode(text)}`]
}

/** Rejects a line break or a NUL: either would start another header. */
export function headerText(name: string, text: string): string {
  if (/[\0\r\n]/.test(text)) throw new UnsafeValue(name, 'must not contain a line break')
  return text
}
