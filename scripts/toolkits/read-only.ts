import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'

/**
 * Returns a document in which members with these names are marked as `readOnly`, in each schema that requires them. An
 * API of Django states the members that it sets as required; a document that was converted from types of a client has
 * lost the mark.
 */
export function withReadOnly(openapi: Json, names: readonly string[] = []): Json {
  if (names.length === 0) return openapi
  const components = object(openapi['components'])
  const schemas = Object.entries(object(components['schemas'])).map(([name, schema]) => [
    name,
    isObject(schema) ? marked(schema, new Set(names)) : schema,
  ])
  return { ...openapi, components: { ...components, schemas: Object.fromEntries(schemas) } }
}

function marked(schema: Json, names: ReadonlySet<string>): Json {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = Object.entries(object(schema['properties'])).map(([name, member]) => [
    name,
    required.has(name) && names.has(name) && isObject(member) ? { allOf: [member], readOnly: true } : member,
  ])
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) }
}
