import { isObject, type Json, list, object, getOwn } from '../json.ts'
import type { LocatedValue, References } from '../openapi/references.ts'
import { ImportRejected } from '../import-rejected.ts'
import { circles } from './cycles.ts'
import { mergeAll } from './merge.ts'
import { describe, enumOf, exampleOf, scalarRules, typeKeyword, typesOf } from './scalars.ts'

/** Plain JSON Schema without references. Results share parts, so callers must not change them. */
export interface Written {
  readonly json: Json
  /** Something was left out because it lies too deep. */
  readonly cut: boolean
}

export interface SchemaWriter {
  /**
   * Objects nested deeper than `depth` are cut to their names. Undefined when the result would be larger than
   * anyone reads.
   */
  write(place: LocatedValue, depth: number): Written | undefined
}

interface Made extends Written {
  readonly nodes: number
}

/** Some 20,000 characters of text, more than is ever kept. */
const NODES_MAX = 700
const BRANCHES_MAX = 12
const PARTS_MAX = 50
const PROPERTIES_MAX = 400
const DESCRIPTION_MAX = 200

class TooMany extends Error {}

/**
 * Writes schemas of a document out for one side: what the server alone sets is left out of requests, what
 * only goes in out of results. Each schema is written once a depth and then shared, which is what makes a
 * document of 20,000 operations a matter of seconds; only those on a circle are written anew inside it, where
 * the way decides what is cut.
 */
export function schemaWriter(references: References, side: 'request' | 'result'): SchemaWriter {
  const circleOf = circles(references)
  const known = new Map<object, (Made | null)[]>()
  const hidden = side === 'request' ? 'readOnly' : 'writeOnly'
  let nodes = 0
  let cuts = 0

  /** A schema that something refers to. `way` are those around it that lie on circles. */
  function referred(place: LocatedValue, depth: number, way: readonly object[]): Json {
    if (!isObject(place.value)) return {}
    const target = place.value
    if (way.includes(target))
      return { type: 'object', description: 'Again an object of the kind that holds it.' }
    const circle = circleOf(place)
    const shared = circle === 0 || !way.some((one) => circleOf({ value: one, base: place.base }) === circle)
    if (!shared) return plain(place, depth, [...way, target])
    let made = known.get(target)?.[depth]
    if (made === undefined) {
      made = fresh(() => plain(place, depth, circle === 0 ? [] : [target]))
      const all = known.get(target) ?? []
      all[depth] = made
      known.set(target, all)
    }
    if (made === null) throw new TooMany()
    count(made.nodes)
    if (made.cut) cuts++
    return made.json
  }

  /** Counted separately, so that the cached result does not depend on where the schema occurs first. */
  function fresh(write: () => Json): Made | null {
    const before = { nodes, cuts }
    nodes = 0
    cuts = 0
    try {
      const json = write()
      return { json, nodes, cut: cuts > 0 }
    } catch (error) {
      if (error instanceof TooMany) return null
      throw error
    } finally {
      ;({ nodes, cuts } = before)
    }
  }

  function count(more: number): void {
    nodes += more
    if (nodes > NODES_MAX) throw new TooMany()
  }

  function plain({ value, base }: LocatedValue, depth: number, way: readonly object[]): Json {
    count(1)
    if (!isObject(value)) return {}
    const ref = getOwn(value, '$ref')
    if (typeof ref === 'string') return besides(value, reference(ref, base, depth, way))
    return closed(open({ value, base }, depth, way))
  }

  /** With what it requires although another part of an `allOf` may have it. */
  function open({ value, base }: { value: Json; base: string }, depth: number, way: readonly object[]): Json {
    const rules = ownRules(value, base, depth, way)
    const parts = list(getOwn(value, 'allOf')).slice(0, PARTS_MAX).filter(isObject)
    if (parts.length === 0) return nulled(rules, value)
    const { description, ...rest } = rules
    const written = parts.map((part) =>
      typeof part['$ref'] === 'string'
        ? plain({ value: part, base }, depth, way)
        : open({ value: part, base }, depth, way),
    )
    return nulled(
      { ...mergeAll([rest, ...written]), ...(description !== undefined && { description }) },
      value,
    )
  }

  function reference(ref: string, base: string, depth: number, way: readonly object[]): Json {
    let target: LocatedValue
    try {
      target = references.resolve(ref, base)
    } catch (error) {
      // A value without a description can be anything; the application validates it.
      if (error instanceof ImportRejected) return {}
      throw error
    }
    return referred(target, depth, way)
  }

  function ownRules(schema: Json, base: string, depth: number, way: readonly object[]): Json {
    const types = typesOf(schema)
    const values = enumOf(schema, types)
    const description = describe(schema, DESCRIPTION_MAX)
    return {
      ...typeKeyword(types),
      ...(description !== undefined && { description }),
      ...(values && { enum: values }),
      ...scalarRules(schema, types),
      ...(types.includes('object') && members(schema, base, depth, way, description)),
      ...requirements(schema),
      ...(types.includes('array') && {
        items: plain(
          { value: Array.isArray(schema['items']) ? {} : (getOwn(schema, 'items') ?? {}), base },
          depth,
          way,
        ),
      }),
      ...union(schema, base, depth, way),
      ...exampleOf(schema, types),
    }
  }

  function members(
    schema: Json,
    base: string,
    depth: number,
    way: readonly object[],
    description: string | undefined,
  ): Json {
    const all = Object.entries(object(getOwn(schema, 'properties'))).filter(
      ([name, one]) => isObject(one) && one[hidden] !== true && name !== '__proto__',
    )
    const extra = getOwn(schema, 'additionalProperties')
    if (all.length > 0 && (depth === 0 || all.length > PROPERTIES_MAX)) {
      cuts++
      const names = all.map(([name]) => name).join(', ')
      return {
        description:
          `${description === undefined ? '' : `${description} `}Members: ` +
          `${names.length > 160 ? `${names.slice(0, 160)}…` : names}.`,
      }
    }
    if (depth === 0) return {}
    const properties = Object.fromEntries(
      all.map(([name, value]) => [name, plain({ value, base }, depth - 1, way)]),
    )
    return {
      ...(all.length > 0 && { properties }),
      ...(isObject(extra) &&
        Object.keys(extra).length > 0 && {
          additionalProperties: plain({ value: extra, base }, depth - 1, way),
        }),
    }
  }

  /**
   * `oneOf` becomes `anyOf`: branches that overlap are common, and then exactly one never fits. A branch that
   * lets anything pass makes the rest void.
   */
  function union(schema: Json, base: string, depth: number, way: readonly object[]): Json {
    const branches = [...list(getOwn(schema, 'oneOf')), ...list(getOwn(schema, 'anyOf'))]
    if (branches.length === 0) return {}
    if (branches.length > BRANCHES_MAX) {
      cuts++
      return {}
    }
    const written = branches.map((value) => plain({ value, base }, depth, way))
    if (written.some((one) => Object.keys(one).every((key) => key === 'description'))) return {}
    const distinct = [...new Map(written.map((one) => [JSON.stringify(one), one])).values()]
    return { anyOf: distinct }
  }

  // Members of a body are asked for one by one.
  let last: { value: unknown; depth: number; made: Made | null } | undefined
  return {
    write(place, depth) {
      if (last?.value !== place.value || last?.depth !== depth)
        last = { value: place.value, depth, made: fresh(() => plain(place, depth, [])) }
      return last.made ?? undefined
    },
  }
}

function requirements(schema: Json): Json {
  const required = [...new Set(list(getOwn(schema, 'required')).filter((name) => typeof name === 'string'))]
  return required.length > 0 ? { required } : {}
}

/** In OpenAPI 3.1 a reference may have a description next to it. */
function besides(schema: Json, written: Json): Json {
  const description = describe({ description: getOwn(schema, 'description') }, DESCRIPTION_MAX)
  return nulled(description === undefined ? written : { ...written, description }, schema)
}

/** Handles `nullable` next to a union or a reference. */
function nulled(written: Json, schema: Json): Json {
  if (schema['nullable'] !== true && schema['x-nullable'] !== true) return written
  if (written['type'] === undefined)
    return Array.isArray(written['anyOf'])
      ? { ...written, anyOf: [...written['anyOf'], { type: 'null' }] }
      : written
  const types = [written['type']].flat()
  if (types.includes('null')) return written
  return {
    ...written,
    type: [...types, 'null'],
    ...(Array.isArray(written['enum']) && { enum: [...written['enum'], null] }),
  }
}

/** Only what is a property can be required, whichever part of an `allOf` said so. */
function closed(written: Json): Json {
  if (!Array.isArray(written['required'])) return written
  const properties = object(written['properties'])
  const required = written['required'].filter((name) => Object.hasOwn(properties, name as string))
  if (required.length === written['required'].length) return written
  const { required: _, ...rest } = written
  return required.length > 0 ? { ...rest, required } : rest
}
