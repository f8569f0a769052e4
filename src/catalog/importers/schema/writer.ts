import { type Json, getOwn, isObject, list, object } from '../json.ts'
import type { LocatedValue, References } from '../openapi/references.ts'
import { circles } from './cycles.ts'
import {
  DESCRIPTION_MAX,
  besides,
  closed,
  itemsOf,
  listMembers,
  nulled,
  requirements,
} from './written-keywords.ts'
import { mergeAll } from './merge.ts'
import { ImportRejected } from '../import-rejected.ts'
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

class TooMany extends Error {}

/**
 * Writes schemas of a document out for one side: what the server alone sets is left out of requests, what
 * only goes in out of results. Each schema is written once a depth and then shared, which is what makes a
 * document of 20,000 operations a matter of seconds; only those on a circle are written anew inside it, where
 * the path to them decides what is cut.
 */
export const schemaWriter = (references: References, side: 'request' | 'result'): SchemaWriter =>
  new SharedSchemaWriter(references, side)

/** Where a schema is written: levels of objects that may follow, and the schemas around it that lie on circles. */
interface Position {
  readonly depth: number
  readonly around: readonly object[]
}

class SharedSchemaWriter implements SchemaWriter {
  private readonly references: References
  private readonly circleOf: ReturnType<typeof circles>
  private readonly known = new Map<object, (Made | null)[]>()
  private readonly hidden: 'readOnly' | 'writeOnly'
  private nodes = 0
  private cuts = 0
  // Members of a body are asked for one by one.
  private last: { value: unknown; depth: number; made: Made | null } | undefined

  constructor(references: References, side: 'request' | 'result') {
    this.references = references
    this.circleOf = circles(references)
    this.hidden = side === 'request' ? 'readOnly' : 'writeOnly'
  }

  write(place: LocatedValue, depth: number): Written | undefined {
    let { last } = this
    if (last?.value !== place.value || last?.depth !== depth) {
      const made = this.fresh(() => this.plain(place, { depth, around: [] }))
      this.last = last = { value: place.value, depth, made }
    }
    return last.made ?? undefined
  }

  /** A schema that something refers to. */
  private referred(place: LocatedValue, { depth, around }: Position): Json {
    if (!isObject(place.value)) return {}
    const target = place.value
    if (around.includes(target))
      return { type: 'object', description: 'Again an object of the kind that holds it.' }
    const circle = this.circleOf(place)
    const shared =
      circle === 0 || !around.some((one) => this.circleOf({ value: one, base: place.base }) === circle)
    if (!shared) return this.plain(place, { depth, around: [...around, target] })
    let made = this.known.get(target)?.[depth]
    if (made === undefined) {
      made = this.fresh(() => this.plain(place, { depth, around: circle === 0 ? [] : [target] }))
      const all = this.known.get(target) ?? []
      all[depth] = made
      this.known.set(target, all)
    }
    if (made === null) throw new TooMany()
    this.count(made.nodes)
    if (made.cut) this.cuts++
    return made.json
  }

  /** Counted separately, so that the cached result does not depend on where the schema occurs first. */
  private fresh(write: () => Json): Made | null {
    const { nodes, cuts } = this
    this.nodes = 0
    this.cuts = 0
    try {
      const json = write()
      return { json, nodes: this.nodes, cut: this.cuts > 0 }
    } catch (error) {
      if (error instanceof TooMany) return null
      throw error
    } finally {
      this.nodes = nodes
      this.cuts = cuts
    }
  }

  private count(more: number): void {
    this.nodes += more
    if (this.nodes > NODES_MAX) throw new TooMany()
  }

  private plain({ value, base }: LocatedValue, at: Position): Json {
    this.count(1)
    if (!isObject(value)) return {}
    const ref = getOwn(value, '$ref')
    if (typeof ref === 'string') return besides(value, this.reference(ref, base, at))
    return closed(this.open({ value, base }, at))
  }

  /** With what it requires although another part of an `allOf` may have it. */
  private open({ value, base }: { value: Json; base: string }, at: Position): Json {
    const rules = this.ownRules(value, base, at)
    const parts = list(getOwn(value, 'allOf')).slice(0, PARTS_MAX).filter(isObject)
    if (parts.length === 0) return nulled(rules, value)
    const { description, ...rest } = rules
    const written = parts.map((part) =>
      typeof part['$ref'] === 'string'
        ? this.plain({ value: part, base }, at)
        : this.open({ value: part, base }, at),
    )
    return nulled(
      { ...mergeAll([rest, ...written]), ...(description !== undefined && { description }) },
      value,
    )
  }

  private reference(ref: string, base: string, at: Position): Json {
    const target = this.target(ref, base)
    // A value without a description can be anything; the application validates it.
    return target ? this.referred(target, at) : {}
  }

  /** What a reference leads to; undefined where the document does not have it. */
  private target(ref: string, base: string): LocatedValue | undefined {
    try {
      return this.references.resolve(ref, base)
    } catch (error) {
      if (error instanceof ImportRejected) return undefined
      throw error
    }
  }

  private ownRules(schema: Json, base: string, at: Position): Json {
    const types = typesOf(schema)
    const values = enumOf(schema, types)
    const description = describe(schema, DESCRIPTION_MAX)
    return {
      ...typeKeyword(types),
      ...(description !== undefined && { description }),
      ...(values && { enum: values }),
      ...scalarRules(schema, types),
      ...(types.includes('object') && this.members(schema, base, at, description)),
      ...requirements(schema),
      ...(types.includes('array') && { items: this.plain(itemsOf(schema, base), at) }),
      ...this.union(schema, base, at),
      ...exampleOf(schema, types),
    }
  }

  private members(
    schema: Json,
    base: string,
    { depth, around }: Position,
    description: string | undefined,
  ): Json {
    const all = Object.entries(object(getOwn(schema, 'properties'))).filter(
      ([name, one]) => isObject(one) && !this.isHidden(one, base) && name !== '__proto__',
    )
    if (all.length > 0 && (depth === 0 || all.length > PROPERTIES_MAX)) {
      this.cuts++
      return listMembers(
        all.map(([name]) => name),
        description,
      )
    }
    if (depth === 0) return {}
    const below = { depth: depth - 1, around }
    const extra = getOwn(schema, 'additionalProperties')
    const properties = Object.fromEntries(
      all.map(([name, value]) => [name, this.plain({ value, base }, below)]),
    )
    return {
      ...(all.length > 0 && { properties }),
      ...(isObject(extra) &&
        Object.keys(extra).length > 0 && { additionalProperties: this.plain({ value: extra, base }, below) }),
    }
  }

  /** Whether a member belongs to the other side: it says so, or the schema that it refers to does. */
  private isHidden(member: Json, base: string): boolean {
    if (member[this.hidden] === true) return true
    const ref = getOwn(member, '$ref')
    return typeof ref === 'string' && getOwn(this.target(ref, base)?.value, this.hidden) === true
  }

  /**
   * `oneOf` becomes `anyOf`: branches that overlap are common, and then exactly one never fits. A branch that
   * lets anything pass makes the rest void.
   */
  private union(schema: Json, base: string, at: Position): Json {
    const branches = [...list(getOwn(schema, 'oneOf')), ...list(getOwn(schema, 'anyOf'))]
    if (branches.length === 0) return {}
    if (branches.length > BRANCHES_MAX) {
      this.cuts++
      return {}
    }
    const written = branches.map((value) => this.plain({ value, base }, at))
    if (written.some((one) => Object.keys(one).every((key) => key === 'description'))) return {}
    const distinct = [...new Map(written.map((one) => [JSON.stringify(one), one])).values()]
    return { anyOf: distinct }
  }
}
