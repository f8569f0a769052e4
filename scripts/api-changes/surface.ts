import type { Document } from '../client/client-source.ts'
import type { Schema } from '../client/schema-types.ts'

/** One field of a request or response: its JSON types, values of its enum, and whether it is always there. */
export interface Field {
  types: string
  values?: readonly string[]
  required: boolean
}

/** What clients rely on: the fields of requests and responses by operation, such as `POST /tools/{} body.user_id`. */
export type Surface = Readonly<Record<string, Readonly<Record<string, Field>>>>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** Deeper fields belong to free objects. */
const DEPTH_MAX = 8

/** Returns the fields of all operations of a version, with `request.` and `response.` paths. */
export function surfaceOf(document: Document, prefix: string): Surface {
  const surface: Record<string, Record<string, Field>> = {}
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith(`${prefix}/`)) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (!operation) continue
      // Names of path parameters are not on the wire.
      const name = `${method.toUpperCase()} ${path.slice(prefix.length).replaceAll(/\{\w+\}/g, '{}')}`
      const fields: Record<string, Field> = {}
      const add = collector(fields, document)
      for (const { name: parameter, in: place, schema, required = false } of operation.parameters ?? [])
        if (place === 'query') add(schema, `request.query.${parameter}`, required)
      const body = operation.requestBody?.content['application/json'].schema
      if (body) add(body, 'request.body', true)
      const [, success] = Object.entries(operation.responses).find(([status]) => /^2/.test(status)) ?? []
      const response = success?.content?.['application/json']?.schema
      if (response) add(response, 'response', true)
      surface[name] = fields
    }
  }
  return surface
}

function collector(fields: Record<string, Field>, { components }: Document) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : resolve(components.schemas[schema.$ref.split('/').at(-1) as string] as Schema)

  function add(declared: Schema, path: string, required: boolean, depth = 0): void {
    const schema = resolve(declared)
    const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(resolve)
    const known = fields[path]
    const types = typesOf(schema, variants)
    fields[path] = {
      types: [...new Set([...(known?.types.split(' ') ?? []), ...types])].sort().join(' '),
      ...valuesOf(schema),
      required: required && (known?.required ?? true),
    }
    if (depth >= DEPTH_MAX) return
    for (const one of [schema, ...variants]) {
      // A field of one variant is not in every value.
      const isAlways = (name: string) => variants.length < 2 && Boolean(one.required?.includes(name))
      for (const [name, field] of Object.entries(one.properties ?? {}))
        add(field, `${path}.${name}`, isAlways(name), depth + 1)
      if (one.items) add(one.items, `${path}[]`, true, depth + 1)
      if (typeof one.additionalProperties === 'object')
        add(one.additionalProperties, `${path}.*`, false, depth + 1)
    }
  }
  return add
}

function typesOf(schema: Schema, variants: readonly Schema[]): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat()
  const all = [
    ...own,
    ...variants.flatMap(({ type, properties }) => type ?? (properties ? 'object' : [])),
  ].flat()
  return all.length > 0 ? all : ['any']
}

function valuesOf(schema: Schema): { values?: readonly string[] } {
  const values = 'const' in schema ? [schema.const] : schema.enum
  return values ? { values: values.map(String).sort() } : {}
}
