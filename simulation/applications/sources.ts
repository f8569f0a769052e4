import { filled } from './filled.ts'
import type { Plan } from './plan.ts'
import { isObject } from './read-back.ts'
import { pairsOf, readPairs } from './read-pairs.ts'
import type { WireRequest } from './wire.ts'

const DEPTH_MAX = 4

/**
 * What a request says of the objects it is about, from the least to the most telling: its arguments, then the
 * objects of its body from the inside out, whose members are called as the application calls them. One list
 * an object: a body may bring several.
 */
export function sourcesOf(
  { place, route }: Plan,
  args: Readonly<Record<string, unknown>>,
  request: WireRequest,
): Readonly<Record<string, unknown>>[][] {
  const body = bodyOf(route.request, request)
  const list = place?.kind === 'list' ? listIn(body, place.path.at(-1)) : undefined
  const set = route.note.set === undefined ? [] : [filled(route.note.set, args) as Record<string, unknown>]
  return list
    ? list.map((item) => [item, ...set])
    : [[args, ...(isObject(body) ? objectsIn(body) : []), ...set]]
}

function bodyOf(
  { body_type: type, body_style: style = {} }: Plan['route']['request'],
  { body }: WireRequest,
): unknown {
  if (!body.length) return undefined
  if (type === 'form') return readPairs(pairsOf(body.toString()), style, new Set(), () => false)
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const listIn = (body: unknown, name: string | undefined): Record<string, unknown>[] | undefined => {
  const list = isObject(body) && name !== undefined ? body[name] : undefined
  return Array.isArray(list) && list.length && list.every(isObject) ? list : undefined
}

function objectsIn(value: Record<string, unknown>, depth = 0): Record<string, unknown>[] {
  const inner =
    depth >= DEPTH_MAX
      ? []
      : Object.values(value).flatMap((one) => (isObject(one) ? objectsIn(one, depth + 1) : []))
  return [...inner, value]
}
