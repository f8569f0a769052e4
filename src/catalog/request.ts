import { compileValue, compileNoting, type CompileContext, ABSENT } from './values.ts'
import { renderAddress } from './addresses.ts'
import { pointer } from './mistakes.ts'
import type { RequestManifest } from './manifest/index.ts'
import type { CompiledRequest, Lookup, QueryStyle, RenderedRequest, ValueTemplate } from './records.ts'
import { UnsafeValue } from './template-errors.ts'
import { compileTemplate, lookupIn, textOf } from './templates.ts'

/** Compiles the request of a tool; what is wrong goes to the context's reporter. */
export function compileRequest(request: RequestManifest, context: CompileContext, path: string): CompiledRequest {
  const styles = request.query_style ?? {}
  return {
    method: request.method,
    path: compileNoting(request.path, context, `${path}/path`) ?? compileTemplate(''),
    pathArguments: context.args,
    query: members(request.query, context, `${path}/query`).map(({ name, value }) => ({ name, value, style: Object.hasOwn(styles, name) ? styles[name]! : 'repeat' })),
    headers: members(request.headers, context, `${path}/headers`).map(({ name, value }) => ({ name: name.toLowerCase(), value })),
    body: request.body === undefined ? undefined : compileBody(request.body, context, `${path}/body`),
    bodyType: request.body_type ?? 'json',
    timeoutSeconds: request.timeout_seconds,
  }
}

type Members = { name: string, value: ValueTemplate }[]

/** `["a"]` is short for `{"a": {"$": "a"}}`. */
function members(shape: string[] | Record<string, unknown> | undefined, context: CompileContext, path: string): Members {
  if (shape === undefined) return []
  const entries = Array.isArray(shape) ? shape.map((name) => [name, { $: name }] as const) : Object.entries(shape)
  return entries.map(([name, value], index) => ({ name, value: compileValue(value, context, path + pointer(Array.isArray(shape) ? index : name)) }))
}

function compileBody(body: unknown, context: CompileContext, path: string): ValueTemplate {
  const names = Array.isArray(body) && body.every((name) => typeof name === 'string')
  const value = compileValue(names ? Object.fromEntries(body.map((name: string) => [name, { $: name }])) : body, context, path)
  // A declared body is sent even when all its members are left out: providers refuse a POST of JSON without any.
  const empty = names || (typeof body === 'object' && body !== null && !Array.isArray(body) && !Object.hasOwn(body, '$'))
  return empty ? (args, connection) => { const filled = value(args, connection); return filled === ABSENT ? {} : filled } : value
}

/**
 * Fills the places of a request with checked arguments and the values of the connection. Throws `MissingValue` where a required
 * value is missing, `UnsafeValue` where one would leave its place.
 */
export function renderRequest(request: CompiledRequest, args: Readonly<Record<string, unknown>>, connection: Lookup): RenderedRequest {
  const own = lookupIn(args)
  const path = renderAddress(request.path, (name) => request.pathArguments.has(name) ? own(name) : connection(name))
  const query: [string, string][] = []
  for (const { name, value, style } of request.query) addQuery(query, name, value(own, connection), style)
  const headers: Record<string, string> = {}
  for (const { name, value } of request.headers) {
    const filled = value(own, connection)
    const text = filled === ABSENT ? undefined : textOf(filled)
    if (text === undefined) continue
    headers[name] = headerText(name, text)
  }
  const filled = request.body?.(own, connection)
  return { method: request.method, path, query, headers, body: filled === ABSENT ? undefined : filled, bodyType: request.bodyType }
}

/** Refuses a line break or a NUL: either would begin another header. */
export function headerText(name: string, text: string): string {
  if (/[\0\r\n]/.test(text)) throw new UnsafeValue(name, 'must not hold a line break')
  return text
}

/** Null and empty lists write nothing; an object writes `name[key]` under `brackets`, else its JSON. */
function addQuery(query: [string, string][], name: string, value: unknown, style: QueryStyle): void {
  if (value === ABSENT || value === null || value === undefined) return
  if (Array.isArray(value)) {
    if (style === 'comma') {
      const text = value.map((item) => textOf(item) ?? '').join(',')
      if (value.length > 0) query.push([name, text])
    } else {
      for (const item of value) addQuery(query, style === 'brackets' ? `${name}[]` : name, item, style)
    }
  } else if (typeof value === 'object' && style === 'brackets') {
    for (const [key, item] of Object.entries(value)) addQuery(query, `${name}[${key}]`, item, style)
  } else {
    query.push([name, textOf(value)!])
  }
}
