import { isObject } from '../../json-object.ts'
/** Maps internal names to the names of the wire. */
export interface Spelling {
  key(name: string): string
  /** Returns the spelling of an enum value of a field. */
  value(text: string, member: string): string
}

/** Uses the internal names on the wire. */
export const AS_IS: Spelling = { key: (name) => name, value: (text) => text }

/** Returns the value itself if nothing was renamed, else a copy along the renamed paths. */
export type Rename = (value: unknown) => unknown

interface SchemaNode extends Partial<Record<'oneOf' | 'anyOf' | 'allOf', SchemaNode[]>> {
  properties?: Record<string, SchemaNode>
  patternProperties?: Record<string, SchemaNode>
  additionalProperties?: SchemaNode | boolean
  items?: SchemaNode
  enum?: unknown[]
  const?: unknown
  discriminator?: { propertyName: string }
}
type Direction = 'in' | 'out'
type Build = (node: SchemaNode, member: string) => Rename | undefined

/**
 * Renames only what the schema declares, so arguments, credentials and texts stay unchanged. Returns
 * `undefined` if there is nothing to rename. Requests (`in`) may use both spellings of a key; the internal
 * one has priority.
 */
export function createRenamer(
  schema: object,
  spelling: Spelling,
  direction: Direction,
  member = '',
): Rename | undefined {
  const build: Build = (node, member) => {
    const steps = [
      text(node, spelling, direction, member),
      list(node, build, member),
      renameFields(node, spelling, direction, build),
      variants(node, spelling, direction, build, member),
    ].filter((step) => step !== undefined)
    return steps.length < 2 ? steps[0] : (value) => steps.reduce((current, step) => step(current), value)
  }
  return build(schema as SchemaNode, member)
}

/** Renames the values of this enum only: the same text in a free field belongs to the user. */
function text(
  node: SchemaNode,
  { value: spell }: Spelling,
  direction: Direction,
  member: string,
): Rename | undefined {
  const pairs = literals(node)
    .map((neutral) => [neutral, spell(neutral, member)] as const)
    .filter(([neutral, wire]) => neutral !== wire)
  if (pairs.length === 0) return undefined
  const map = new Map(
    pairs.map(([neutral, wire]) => (direction === 'out' ? [neutral, wire] : [wire, neutral])),
  )
  return (value) => (typeof value === 'string' ? (map.get(value) ?? value) : value)
}

function list({ items }: SchemaNode, build: Build, member: string): Rename | undefined {
  const inner = items && !Array.isArray(items) ? build(items, member) : undefined
  return (
    inner &&
    ((value) => {
      if (!Array.isArray(value)) return value
      const copy = value.map(inner)
      return copy.some((item, i) => item !== value[i]) ? copy : value
    })
  )
}

interface RenamedField {
  from: string
  to: string
  inner: Rename | undefined
}

function renameFields(
  node: SchemaNode,
  { key: spell }: Spelling,
  direction: Direction,
  build: Build,
): Rename | undefined {
  const declared: RenamedField[] = Object.entries(node.properties ?? {}).flatMap(
    ([key, schema]): RenamedField[] => {
      const wire = spell(key)
      const inner = build(schema, key)
      return direction === 'out'
        ? [{ from: key, to: wire, inner }]
        : wire === key
          ? [{ from: key, to: key, inner }]
          : [
              { from: wire, to: key, inner },
              { from: key, to: key, inner },
            ]
    },
  )
  const byName = new Map(declared.map((one) => [one.from, one]))
  const others = [
    ...Object.values(node.patternProperties ?? {}),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ]
  // The keys of a map belong to the user; their values are declared.
  const rest = others.map((schema) => build(schema, '')).find((one) => one !== undefined)
  const active = declared.filter(({ from, to, inner }) => from !== to || inner)
  if (active.length === 0 && !rest) return undefined
  return (value) =>
    isObject(value) && (rest !== undefined || active.some(({ from }) => Object.hasOwn(value, from)))
      ? renameEntries(value, byName, rest)
      : value
}

function renameEntries(
  value: Record<string, unknown>,
  byName: ReadonlyMap<string, RenamedField>,
  rest: Rename | undefined,
): unknown {
  let changed = false
  const entries: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    const member = byName.get(key)
    const to = member?.to ?? key
    if (to !== key && Object.hasOwn(value, to)) {
      changed = true
      continue
    }
    const before = value[key]
    const after = member ? (member.inner ? member.inner(before) : before) : rest ? rest(before) : before
    if (to !== key || after !== before) changed = true
    entries.push([to, after])
  }
  // Not by assignment: a key named `__proto__` must stay a key.
  return changed ? Object.fromEntries(entries) : value
}

/**
 * For a union with a discriminator, renames by the variant that the value names; for others, by all variants.
 */
function variants(
  node: SchemaNode,
  spelling: Spelling,
  direction: Direction,
  build: Build,
  member: string,
): Rename | undefined {
  const all = [...(node.oneOf ?? []), ...(node.anyOf ?? []), ...(node.allOf ?? [])]
  const built = all.map((variant) => build(variant, member))
  if (built.every((one) => one === undefined)) return undefined
  const tag = node.discriminator?.propertyName
  if (tag === undefined)
    return (value) => built.reduce((current, step) => (step ? step(current) : current), value)
  const byTag = new Map(
    all.flatMap(({ properties }, i) =>
      literals(properties?.[tag] ?? {}).flatMap((text) =>
        (direction === 'out' ? [text] : [text, spelling.value(text, tag)]).map(
          (name) => [name, built[i]] as const,
        ),
      ),
    ),
  )
  return (value) =>
    isObject(value)
      ? (byTag.get((value[tag] as string) ?? value[spelling.key(tag)])?.(value) ?? value)
      : value
}

const literals = (node: SchemaNode): string[] =>
  [...(node.enum ?? []), node.const].filter((value) => typeof value === 'string')

/** Returns the schema of the `out` direction: the same object if nothing is renamed. */
export function renamedSchema(schema: object, spelling: Spelling): object {
  return renameNode(schema as SchemaNode, spelling, '')
}

function renameNode(node: SchemaNode, spelling: Spelling, member: string): SchemaNode {
  const sample = createRenamer(node, spelling, 'out', member)
  if (!sample) return node
  const each = (nodes: SchemaNode[]) => nodes.map((one) => renameNode(one, spelling, member))
  const values = (part: unknown) => (typeof part === 'string' ? spelling.value(part, member) : part)
  const parts: Record<string, (part: never) => unknown> = {
    properties: (part: Record<string, SchemaNode>) =>
      Object.fromEntries(
        Object.entries(part).map(([key, one]) => [spelling.key(key), renameNode(one, spelling, key)]),
      ),
    patternProperties: (part: Record<string, SchemaNode>) =>
      Object.fromEntries(Object.entries(part).map(([key, one]) => [key, renameNode(one, spelling, '')])),
    additionalProperties: (part: SchemaNode | boolean) =>
      typeof part === 'object' ? renameNode(part, spelling, '') : part,
    required: (part: string[]) => part.map(spelling.key),
    discriminator: (part: { propertyName: string }) => ({
      ...part,
      propertyName: spelling.key(part.propertyName),
    }),
    items: (part: SchemaNode) => (Array.isArray(part) ? part : renameNode(part, spelling, member)),
    oneOf: each,
    anyOf: each,
    allOf: each,
    enum: (part: unknown[]) => part.map(values),
    const: values,
    default: sample,
    examples: (part: unknown[]) => part.map(sample),
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, parts[name]?.(part as never) ?? part]),
  )
}
