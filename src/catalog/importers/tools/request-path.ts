import type { Operation } from '../model.ts'
import { compiled } from '../openapi/servers.ts'
import type { Json } from '../json.ts'
import { ImportRejected } from '../import-rejected.ts'

/** An operation that another server answers has a whole address in its path. */
export function ownAddress(
  { servers }: Operation,
  from: string,
): { template: string; reserved: string[] } | undefined {
  const [server] = servers
  if (!server) return undefined
  const address = compiled(server, from)
  // A place that only a connection could fill would be asked of none; the API's own address is the better
  // guess.
  if (!address || address.needsConnection || address.template.startsWith('{')) return undefined
  const template = address.template.replace(/\{\+?[A-Za-z_][\w]*\|\|'([^']*)'\}/g, '$1')
  return { template: template.replace(/\/+$/, ''), reserved: [] }
}

/**
 * A fragment is never sent, and what follows `?` is a query that is always the same. Segments that climb are
 * written by mistake or worse.
 */
export function splitPath(source: string): { path: string; query: Json; asked: ReadonlyMap<string, string> } {
  const [whole = ''] = source.split('#')
  const at = whole.indexOf('?')
  const path = (at < 0 ? whole : whole.slice(0, at))
    .split(/(\{[^{}]*\})/)
    .map((part) =>
      part.startsWith('{') ? part : part.replace(/[\s"<>\\^`|]/g, (char) => encodeURIComponent(char)),
    )
    .join('')
    .replace(/\/{2,}/g, '/')
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path))
    throw new ImportRejected(
      'bad_path',
      'The path holds a `.` or `..` segment. Write the path that is meant.',
    )
  const pairs = [...new URLSearchParams(at < 0 ? '' : whole.slice(at + 1))].filter(
    ([name]) => name !== '' && name !== '__proto__' && !/[{}]/.test(name),
  )
  const placed = pairs.flatMap(([name, value]) => {
    const place = /^\{([^{}]+)\}$/.exec(value)?.[1]
    return place === undefined ? [] : [[place, name] as const]
  })
  return {
    path,
    query: Object.fromEntries(pairs.filter(([, value]) => !/[{}]/.test(value))),
    asked: new Map(placed),
  }
}
