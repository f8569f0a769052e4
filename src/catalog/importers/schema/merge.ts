import { isObject, type Json, list, object } from '../json.ts'

/**
 * What all of these say together, for schemas that were written by the writer. None of them is changed: they
 * are shared.
 */
export function mergeAll(schemas: readonly Json[]): Json {
  const said = schemas.filter((schema) => Object.keys(schema).length > 0)
  return said.length < 2 ? (said[0] ?? {}) : said.reduce((all, one) => merge(all, one))
}

function merge(a: Json, b: Json): Json {
  const out: Json = { ...b, ...a }
  const type = commonType(a['type'], b['type'])
  if (type === undefined) delete out['type']
  else out['type'] = type
  if (isObject(a['properties']) && isObject(b['properties']))
    out['properties'] = mergeProperties(a['properties'], b['properties'])
  if (a['required'] && b['required'])
    out['required'] = [...new Set([...list(a['required']), ...list(b['required'])])]
  const unions = [a, b].flatMap((one) => (one['anyOf'] ? [{ anyOf: one['anyOf'] }] : []))
  if (unions.length === 2) {
    delete out['anyOf']
    out['allOf'] = [...list(a['allOf']), ...list(b['allOf']), ...unions]
  }
  if (Array.isArray(a['enum']) && Array.isArray(b['enum'])) {
    const both = a['enum'].filter((one) => (b['enum'] as unknown[]).includes(one))
    if (both.length > 0) out['enum'] = both
  }
  // Closed in one part and wider in another would let nothing pass.
  if (a['additionalProperties'] === false || b['additionalProperties'] === false)
    delete out['additionalProperties']
  return out
}

function mergeProperties(a: Json, b: Json): Json {
  const out: Json = { ...b }
  for (const [name, schema] of Object.entries(a))
    out[name] = Object.hasOwn(b, name) ? mergeAll([object(schema), object(b[name])]) : schema
  return out
}

/** Types that both allow; where the two agree on none, the first is believed. */
function commonType(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b
  const [one, other] = [a, b].map((type) => (Array.isArray(type) ? (type as unknown[]) : [type]))
  const both = one!.filter((type) => other!.includes(type))
  return both.length === 0 ? a : both.length === 1 ? both[0] : both
}
