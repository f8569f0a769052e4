export type JsonSchemaNode = Readonly<Record<string, unknown>>

/** Smaller schemas are repeated: a reference would not make the text shorter. */
const SHARED_CHARACTERS_MIN = 60

/**
 * Moves each schema that occurs more than once below `schemas` into `$defs` and refers to it. The names are
 * those of the properties where the schemas occur first, so that the result is the same in every run.
 */
export function shareDefinitions(schemas: Readonly<Record<string, unknown>>): Record<string, JsonSchemaNode> {
  const counts = new Map<string, number>()
  for (const schema of Object.values(schemas)) {
    visit(schema as JsonSchemaNode, (node) => {
      const text = JSON.stringify(node)
      counts.set(text, (counts.get(text) ?? 0) + 1)
      return counts.get(text) === 1
    })
  }
  const definitions: Record<string, JsonSchemaNode> = {}
  for (const name of Object.keys(schemas)) definitions[name] = {}
  const names = new Map<string, string>()

  function share(node: JsonSchemaNode, property: string): JsonSchemaNode {
    const text = JSON.stringify(node)
    if (text.length < SHARED_CHARACTERS_MIN || counts.get(text) === 1)
      return mapSchemas(node, property, share)
    let name = names.get(text)
    if (name === undefined) {
      name = unusedName(property, definitions)
      names.set(text, name)
      definitions[name] = {}
      definitions[name] = mapSchemas(node, property, share)
    }
    return { $ref: `#/$defs/${name}` }
  }

  for (const [name, schema] of Object.entries(schemas))
    definitions[name] = mapSchemas(schema as JsonSchemaNode, name, share)
  return definitions
}

function unusedName(property: string, definitions: Readonly<Record<string, unknown>>): string {
  const base = property.replaceAll(/\W/g, '_')
  let name = base
  for (let number = 2; Object.hasOwn(definitions, name); number++) name = `${base}_${number}`
  return name
}

const LISTS = ['anyOf', 'oneOf', 'allOf']
const MAPS = ['properties', 'patternProperties']
const SINGLE = ['items', 'additionalProperties']
const isNode = (value: unknown): value is JsonSchemaNode =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Visits a schema and the schemas inside it; those inside are left out when `enter` returns false. */
function visit(schema: JsonSchemaNode, enter: (node: JsonSchemaNode) => boolean): void {
  if (!enter(schema)) return
  mapSchemas(schema, '', (node) => {
    visit(node, enter)
    return node
  })
}

/** Returns a copy of a schema with every schema directly inside it replaced. */
export function mapSchemas(
  schema: JsonSchemaNode,
  property: string,
  replace: (node: JsonSchemaNode, property: string) => unknown,
): JsonSchemaNode {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (LISTS.includes(key) && Array.isArray(value))
        return [key, value.map((item: JsonSchemaNode) => replace(item, property))]
      if (SINGLE.includes(key) && isNode(value)) return [key, replace(value, property)]
      if (MAPS.includes(key) && isNode(value))
        return [
          key,
          Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [
              name,
              replace(inner as JsonSchemaNode, key === 'properties' ? name : property),
            ]),
          ),
        ]
      return [key, value]
    }),
  )
}
