import type { TSchema } from '../../src/contract/schema-type.ts'

/** Which declared inputs of an operation its code looked at, by their path: `body.connection.user_id`. */
export interface RecordedInputs {
  /** Read by name. */
  read: ReadonlySet<string>
  /** Objects that were copied or serialized as a whole: their fields may be read by name later. */
  copied: ReadonlySet<string>
  /** Objects that a call sent. */
  sent: ReadonlySet<string>
}

interface Node extends Partial<Record<'oneOf' | 'anyOf' | 'allOf', Node[]>> {
  properties?: Record<string, Node>
  items?: Node
}

const variantsOf = (node: Node): Node[] => [
  node,
  ...(node.oneOf ?? []),
  ...(node.anyOf ?? []),
  ...(node.allOf ?? []),
]

/** The declared fields of a schema, those of all variants of a union included. */
function fieldsOf(node: Node): Map<string, Node[]> {
  const fields = new Map<string, Node[]>()
  for (const one of variantsOf(node))
    for (const [name, field] of Object.entries(one.properties ?? {}))
      fields.set(name, [...(fields.get(name) ?? []), field])
  return fields
}

const itemsOf = (node: Node): Node[] => variantsOf(node).flatMap(({ items }) => (items ? [items] : []))
const merged = (nodes: Node[]): Node => ({ anyOf: nodes })

/** Returns the paths of all declared fields below a path. Items of lists have `[]`. */
export function declaredPaths(schema: TSchema | Node, path: string): string[] {
  const own = [...fieldsOf(schema as Node)].flatMap(([name, nodes]) => [
    `${path}.${name}`,
    ...declaredPaths(flat(nodes), `${path}.${name}`),
  ])
  const items = itemsOf(schema as Node)
  return [...own, ...(items.length ? declaredPaths(flat(items), `${path}[]`) : [])]
}

const flat = (nodes: Node[]): Node =>
  nodes.length === 1 ? (nodes[0] as Node) : merged(nodes.flatMap(variantsOf))

/** Creates proxies of inputs that record which of their fields are read. */
export function inputRecorder() {
  const read = new Set<string>()
  const copied = new Set<string>()
  const sent = new Set<string>()

  const observe = (value: unknown, node: Node, path: string): unknown => {
    if (Array.isArray(value)) {
      const items = itemsOf(node)
      return items.length ? value.map((item) => observe(item, flat(items), `${path}[]`)) : value
    }
    const fields = fieldsOf(node)
    if (typeof value !== 'object' || value === null || fields.size === 0) return value
    sent.add(path)
    // A copy or a serialization asks for the descriptor of a field before it reads the field.
    const described = new Set<PropertyKey>()
    return new Proxy(value, {
      get(target, name, receiver) {
        const found = Reflect.get(target, name, receiver) as unknown
        const nodes = typeof name === 'string' ? fields.get(name) : undefined
        if (!nodes) return found
        if (!described.delete(name)) read.add(`${path}.${String(name)}`)
        return observe(found, flat(nodes), `${path}.${String(name)}`)
      },
      has(target, name) {
        if (typeof name === 'string') read.add(`${path}.${name}`)
        return Reflect.has(target, name)
      },
      ownKeys(target) {
        copied.add(path)
        return Reflect.ownKeys(target)
      },
      getOwnPropertyDescriptor(target, name) {
        described.add(name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
  }
  return {
    recorded: { read, copied, sent } as RecordedInputs,
    observe: (value: unknown, schema: TSchema, path: string) => observe(value, schema as Node, path),
  }
}
