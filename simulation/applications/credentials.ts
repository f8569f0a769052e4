import type { CompiledScheme, Toolkit } from '../../src/catalog/index.ts'
import { nothingFound, readText } from './read-back.ts'
import { decoded, pairsOf } from './read-pairs.ts'
import type { WireRequest } from './wire.ts'

/**
 * Whether the request carries the credentials of one of the toolkit's schemes, each in its place and none of
 * them empty.
 */
export function signsIn(toolkit: Toolkit, request: WireRequest): boolean {
  return toolkit.schemes.some((scheme) => carries(scheme, request))
}

function carries(
  { mode, manifest, headers, query, body, basic }: CompiledScheme,
  request: WireRequest,
): boolean {
  const { sign } = manifest.apply ?? {}
  if (mode === 'OAUTH1' || sign)
    return (
      /^(OAuth|AWS4-|[A-Z][\w-]*) ./.test(request.headers['authorization'] ?? '') ||
      Object.keys(request.headers).some((name) => /signature|digest/.test(name))
    )
  const pairs = new Map(
    pairsOf(request.url.split('?', 2)[1] ?? '').map(([name, value]) => [decoded(name), decoded(value)]),
  )
  const text = request.body.toString()
  return (
    headers.every(({ name, value }) => isFilled(value.source, request.headers[name])) &&
    query.every(({ name, value }) => isFilled(value.source, pairs.get(name))) &&
    body.every(({ name }) => text.includes(name)) &&
    (!basic || /^Basic [A-Za-z0-9+/]{2,}=*$/.test(request.headers['authorization'] ?? ''))
  )
}

/** Every place of the template has something in it. */
function isFilled(template: string, value: string | undefined): boolean {
  if (value === undefined) return /\?\}/.test(template)
  const found = nothingFound()
  const filled = template.replace(/\|\|[^}]*\}/g, '}')
  return readText(filled, value, found) && [...found.values.values()].every((one) => one !== '')
}

/** Names of query parameters and body members that are credentials. */
export const credentialNames = (toolkit: Toolkit): ReadonlySet<string> =>
  new Set(toolkit.schemes.flatMap(({ query, body }) => [...query, ...body].map(({ name }) => name)))
