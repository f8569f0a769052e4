import { isObject, list, getOwn, nonEmptyString } from '../json.ts'
import type { Server } from '../model.ts'
import { VARIABLE, type Variables } from './variables.ts'

export interface Pair {
  readonly key: string
  readonly value: string | undefined
  readonly description: string | undefined
  readonly file?: boolean
}

/** Where a request goes. */
export interface Target {
  readonly server: Server
  /** As OpenAPI writes it: `/users/{id}`. */
  readonly path: string
  /** What is known of the places of the path, by their name. */
  readonly places: ReadonlyMap<string, Pair>
  readonly query: readonly Pair[]
}

/** Names of variables that belong to the address and not to the call. */
const STRUCTURAL =
  /^(base|api|root)([-_]?(path|prefix|url|version|Path|Prefix))?$|(^|[-_])(url|host|version|prefix|stage|env|environment)$|(Url|URL|Host|Version|Prefix|Stage|Env|Environment)$/

/** Reads `url`, which is a text or an object, of a request. Undefined when there is none. */
export function targetOf(url: unknown, variables: Variables): Target | undefined {
  const raw = (typeof url === 'string' ? url : (nonEmptyString(getOwn(url, 'raw')) ?? written(url)))
    ?.trim()
    .slice(0, 8_000)
  if (!raw) return undefined
  const { origin, rest } = split(raw.split(/[?#]/, 1)[0]!, variables)
  const places = new Map<string, Pair>(pairs(getOwn(url, 'variable')).map((one) => [one.key, one]))
  const path = rest
    .split('/')
    .map((segment) => {
      const [, name] = /^:([^:{}]+)$/.exec(segment) ?? []
      if (name !== undefined) return `{${name}}`
      return segment.replace(VARIABLE, (_, inner: string) => {
        const variable = inner.trim()
        const value = variables.valueOf(variable)
        if (value !== undefined && STRUCTURAL.test(variable)) return value.replace(/[{}?#]/g, '')
        if (!places.has(variable)) places.set(variable, { key: variable, value, description: undefined })
        return `{${variable}}`
      })
    })
    .join('/')
  return {
    server: serverOf(origin, variables),
    path: path.startsWith('/') ? path : `/${path}`,
    places,
    query: queryOf(url, raw),
  }
}

/** The parts, where the whole is not written down. */
function written(url: unknown): string | undefined {
  if (!isObject(url)) return undefined
  const joinParts = (value: unknown, by: string) =>
    typeof value === 'string'
      ? value
      : list(value)
          .map((one) => (typeof one === 'string' ? one : (nonEmptyString(getOwn(one, 'value')) ?? '')))
          .join(by)
  const host = joinParts(getOwn(url, 'host'), '.')
  if (host === '') return undefined
  const protocol = nonEmptyString(getOwn(url, 'protocol'))
  const port = getOwn(url, 'port')
  const path = joinParts(getOwn(url, 'path'), '/').replace(/^\/+/, '')
  return `${protocol === undefined ? '' : `${protocol}://`}${host}${port ? `:${String(port)}` : ''}/${path}`
}

/**
 * The address of the API, and what of it this request asks for: a variable at the beginning is the API's,
 * with whatever path it holds.
 */
function split(source: string, variables: Variables): { origin: string; rest: string } {
  const [first, name] = /^\{\{([^{}]+)\}\}/.exec(source) ?? []
  if (first !== undefined && !source.startsWith('://', first.length)) {
    const value = variables.valueOf(name!)
    const after = source.slice(first.length)
    const at = after.search(/\//)
    const host = at < 0 ? after : after.slice(0, at)
    return {
      origin: `${value === undefined || !/[.:]|localhost|\{\{/.test(value) ? first : value.replace(/\/+$/, '')}${host}`,
      rest: at < 0 ? '/' : after.slice(at),
    }
  }
  const scheme = /^(https?|\{\{[^{}]*\}\}):\/\//i.exec(source)?.[0]
  const bare = scheme === undefined ? source : source.slice(scheme.length)
  const at = bare.indexOf('/')
  const protocol = scheme === undefined || scheme.startsWith('{') ? 'https://' : scheme
  return {
    origin: `${protocol}${at < 0 ? bare : bare.slice(0, at)}`,
    rest: at < 0 ? '/' : bare.slice(at),
  }
}

/** Names and passwords in an address are left out: they belong to a connection. */
function serverOf(origin: string, variables: Variables): Server {
  const used = new Map<string, Server['variables'] extends ReadonlyMap<string, infer V> ? V : never>()
  const url = origin.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1').replace(VARIABLE, (_, inner: string) => {
    const name = inner.trim()
    used.set(name, { default: variables.valueOf(name), enum: [], description: undefined })
    return `{${name}}`
  })
  return {
    url: /^(https?:\/\/|\{)/i.test(url) ? url : `https://${url}`,
    description: undefined,
    variables: used,
  }
}

function queryOf(url: unknown, raw: string): Pair[] {
  if (isObject(url) && Array.isArray(getOwn(url, 'query'))) return pairs(getOwn(url, 'query'))
  const at = raw.indexOf('?')
  return at < 0
    ? []
    : [...new URLSearchParams(raw.slice(at + 1).split('#', 1)[0])].map(([key, value]) => ({
        key,
        value,
        description: undefined,
      }))
}

/** A list of keys and values; what is switched off is left out. In the oldest form headers are one text. */
export function pairs(value: unknown): Pair[] {
  if (typeof value === 'string')
    return value.split('\n').flatMap((line) => {
      const [, key, said] = /^([^:]+):(.*)$/.exec(line) ?? []
      return key === undefined ? [] : [{ key: key.trim(), value: said!.trim(), description: undefined }]
    })
  return list(value).flatMap((one) => {
    const key = getOwn(one, 'key')
    if (typeof key !== 'string' || key.trim() === '' || getOwn(one, 'disabled') === true) return []
    const said = getOwn(one, 'value')
    return [
      {
        key: key.trim(),
        value:
          typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean'
            ? String(said)
            : undefined,
        description: proseOf(getOwn(one, 'description')),
        ...(getOwn(one, 'type') === 'file' && { file: true }),
      },
    ]
  })
}

/** A description is a text, or an object that holds it. */
export const proseOf = (value: unknown): string | undefined =>
  nonEmptyString(value) ?? nonEmptyString(getOwn(value, 'content'))
