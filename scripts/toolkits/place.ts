import type { Operation, Server } from '../../src/catalog/importers/model.ts'
import type { Overlay } from './overlay.ts'

/** Where an operation of a document is found, below the base URL of the toolkit. */
export interface Placed {
  /** Path below `base_url`, or an absolute URL. */
  readonly path: string
  /** Method and path from the root of the host; parameters are `{}`. Equal for the same operation everywhere. */
  readonly key: string
}

interface Url {
  readonly origin: string
  readonly path: string
}

/**
 * Finds the path of an operation below the base URL of a toolkit. Undefined where the document is about another host
 * (`hostRelation`), or where the path is not below the base URL.
 */
export function placeOperation(
  operation: Pick<Operation, 'method' | 'path'>,
  server: string | undefined,
  baseUrl: string,
  overlay: Overlay,
): Placed | undefined {
  const base = splitUrl(baseUrl)
  const own = splitUrl(overlay.servers?.[server ?? ''] ?? server ?? '')
  const operationPath = replaceBeginning(operation.path, overlay.paths)
  const whole = joinPaths(own.path, operationPath)
  const key = `${operation.method.toUpperCase()} ${normalized(whole)}`
  const relation = hostRelation(own.origin, base.origin)
  if (relation === 'unknown') return undefined
  if (relation === 'other') return { path: `${own.origin}${whole}`, key: `${own.origin} ${key}` }
  const below = pathBelow(whole, base.path)
  if (below !== undefined) return { path: below, key }
  // The document may state paths below the base URL without saying what that is.
  return own.path === '' && !looksAbsolute(whole, base.path)
    ? {
        path: operationPath,
        key: `${operation.method.toUpperCase()} ${normalized(joinPaths(base.path, whole))}`,
      }
    : undefined
}

/** The key of a request that is written by hand. */
export function keyOfRequest(method: string, path: string, baseUrl: string): string {
  const base = splitUrl(baseUrl)
  const url = /^https?:/.test(path)
    ? splitUrl(path)
    : { origin: base.origin, path: joinPaths(base.path, path) }
  const other = hostRelation(url.origin, base.origin) === 'other' ? `${url.origin} ` : ''
  return `${other}${method} ${normalized(url.path)}`
}

/**
 * URL of the server of an operation. A variable with a list of values has its default; any other one stays a
 * placeholder, as the default of `{your-domain}` is an example.
 */
export function serverOf(
  operation: Pick<Operation, 'servers'>,
  servers: readonly Server[],
): string | undefined {
  const server = operation.servers[0] ?? servers.find(({ url }) => url.startsWith('https')) ?? servers[0]
  return server?.url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = server.variables.get(name)
    return (variable?.enum.length ? variable.default : undefined) || whole
  })
}

function splitUrl(text: string): Url {
  const plain = text.replace(/[?#].*$/, '').replace(/\/+$/, '')
  const [, origin = '', path = ''] =
    /^((?:https?:)?\/\/(?:\{[^{}]*\}|[^/{}])*|\{[^{}]*\})?(.*)$/.exec(plain) ?? []
  return { origin: origin.replace(/^(?:http:)?\/\//, 'https://'), path }
}

const joinPaths = (a: string, b: string): string => `${a}${b.startsWith('/') || b === '' ? b : `/${b}`}`

const normalized = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/(.)\/+$/, '$1')

/** The part of a path below the base path, whatever their parameters are called; undefined where it is elsewhere. */
function pathBelow(path: string, base: string): string | undefined {
  if (base === '') return path
  const [segments, start] = [path.split('/'), base.split('/')]
  const isBelow = start.every((segment, at) => normalized(segments[at] ?? '') === normalized(segment))
  return isBelow
    ? segments
        .slice(start.length)
        .map((segment) => `/${segment}`)
        .join('')
    : undefined
}

/** `/v2/users` is no path below `/v1`: it names a version of its own. */
const looksAbsolute = (path: string, base: string): boolean =>
  path.split('/')[1] === base.split('/')[1] || (/^\/v\d/.test(path) && /^\/v\d/.test(base))

/**
 * How the host of a document is related to that of the toolkit: `same`, `other` for a fixed host of the same domain,
 * which accounts of the toolkit may be used for, and `unknown` for every other one. A missing host, and one that only
 * the machine of the author knows, count as the same, and so does every host where that of the toolkit is a field of
 * the connection as a whole.
 */
function hostRelation(origin: string, base: string): 'same' | 'other' | 'unknown' {
  const [own, toolkit] = [hostOf(origin), hostOf(base)]
  if (own === '' || /^localhost(:\d+)?$/.test(own)) return 'same'
  if (fits(own, toolkit) || fits(toolkit, own)) return 'same'
  return !own.includes('*') && !toolkit.includes('*') && domainOf(own) === domainOf(toolkit)
    ? 'other'
    : 'unknown'
}

/** Host in lower case; what differs between customers is `*`. */
const hostOf = (origin: string): string =>
  origin
    .replace(/\{[^{}]*\}/g, '*')
    .replace(/^\w+:\/\//, '')
    .toLowerCase()

/** Whether a host has the pattern of another one, whose `*` stands for any text, dots included. */
const fits = (host: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.+')}$`).test(host)

const domainOf = (host: string): string => host.split('.').slice(-2).join('.')

function replaceBeginning(path: string, beginnings: Readonly<Record<string, string>> = {}): string {
  const found = Object.keys(beginnings)
    .filter((beginning) => path.startsWith(beginning))
    .sort((a, b) => b.length - a.length)[0]
  return found === undefined ? path : `${beginnings[found]}${path.slice(found.length)}`
}
