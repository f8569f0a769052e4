import type { JsonSchema, RequestManifest } from '../../src/catalog/index.ts'
import type { WireRequest } from './wire.ts'
import { type Found, IN_ADDRESS, canBeAbsent, nothingFound, patternOf, readBack } from './read-back.ts'
import { readBody } from './read-body.ts'
import { cast, fits, isListArgument, members, propertiesOf } from './read-arguments.ts'
import { decoded, pairsOf, readPairs } from './read-pairs.ts'

/** Where a request may go and what it carries in addition to its arguments. */
export interface Surface {
  /** Templates of base URLs; one for each scheme that has its own. */
  readonly bases: readonly string[]
  /** Parameters of the query and members of the body that are credentials. */
  readonly credentials: ReadonlySet<string>
}

/**
 * The arguments that a request was made from, read back from its wire form by the declaration of the tool;
 * `undefined` when the tool does not make such a request. `literals` says how much of the request is literal
 * in the declaration: of two tools the one with more is meant.
 */
export function readRequest(
  request: RequestManifest,
  input: JsonSchema,
  surface: Surface,
  wire: WireRequest,
): { args: Record<string, unknown>; literals: number } | undefined {
  if (request.method !== wire.method) return undefined
  const found = nothingFound()
  const [address = '', search = ''] = wire.url.split('?', 2)
  const isRead =
    readAddress(request, surface, address, found) &&
    readQuery(request, input, surface, search, found) &&
    readHeaders(request, wire, found) &&
    readBody(request, input, surface, wire, found)
  if (!isRead) return undefined
  const properties = propertiesOf(input)
  // What the tool never leaves out is there.
  if (
    ((input['required'] as string[] | undefined) ?? []).some(
      (name) => isUsed(request, name) && !found.values.has(name),
    )
  )
    return undefined
  return {
    args: Object.fromEntries(
      [...found.values]
        .filter(([name]) => Object.hasOwn(properties, name))
        .map(([name, value]) => [name, found.typed.has(name) ? value : cast(value, properties[name]!)]),
    ),
    literals: found.literals,
  }
}

const isUsed = (request: RequestManifest, name: string): boolean =>
  request.path.includes(`{${name}}`) ||
  request.path.includes(`{+${name}}`) ||
  [request.query, request.headers, request.body].some(
    (part) => part !== undefined && JSON.stringify(members(part)).includes(`"$":"${name}"}`),
  )

function readAddress(request: RequestManifest, { bases }: Surface, address: string, found: Found): boolean {
  for (const template of /^(https?:|\{[^}]*\}\/)/.test(request.path)
    ? [request.path]
    : bases.map(
        (base) => `${base.replace(/\/+$/, '')}${request.path.startsWith('/') ? '' : '/'}${request.path}`,
      )) {
    const [path = '', fixed] = template.split('?', 2)
    if (fixed !== undefined) continue
    const { pattern, names } = patternOf(path, IN_ADDRESS)
    const match = pattern.exec(address.replace(/\/+$/, '')) ?? pattern.exec(address)
    if (!match) continue
    found.literals += path.split('/').filter((segment) => !segment.includes('{')).length
    names.forEach((name, index) => {
      // A value of the base URL is the connection's, also where an argument of the body has its name.
      const isOfPath = [`{${name}`, `{+${name}`].some((place) => request.path.includes(place))
      if (isOfPath) found.values.set(name, decodedSegment(match[index + 1] ?? ''))
    })
    return true
  }
  return false
}

const decodedSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readQuery(
  request: RequestManifest,
  input: JsonSchema,
  { credentials }: Surface,
  search: string,
  found: Found,
): boolean {
  const templates = members(request.query)
  const values = readPairs(
    pairsOf(search),
    request.query_style ?? {},
    new Set(Object.keys(templates)),
    (name) => isListArgument(templates[name], input),
  )
  return fits(templates, values, credentials, found)
}

function readHeaders(request: RequestManifest, { headers }: WireRequest, found: Found): boolean {
  const cookies = Object.fromEntries(
    (headers['cookie'] ?? '')
      .split('; ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decoded(pair.slice(pair.indexOf('=') + 1))]),
  )
  const own = Object.entries(members(request.headers))
    .filter(([name, template]) => name.toLowerCase() !== 'content-type' || canBeAbsent(template))
    .map(([name, template]) => [template, headers[name.toLowerCase()]] as const)
  return [
    ...own,
    ...Object.entries(members(request.cookies)).map(([name, template]) => [template, cookies[name]] as const),
  ].every(([template, value]) =>
    value === undefined ? canBeAbsent(template) : readBack(template, value, found),
  )
}
