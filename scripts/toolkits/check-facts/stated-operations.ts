import { isObject, type Json, object } from '../../../src/catalog/importers/json.ts'

/** A parameter, or a member of a body. */
export interface StatedValue {
  readonly required: boolean
  /** Names of JSON types, integers as `number`. Empty where the document allows any. */
  readonly types: ReadonlySet<string>
}

/** An operation as a document states it, read without the importer that makes the tools. */
export interface StatedOperation {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** By place and name: `query limit`, `header If-Match`. Names of headers are in lower case. */
  readonly parameters: ReadonlyMap<string, StatedValue>
  /** Bodies by media type. Members are undefined for bodies that are no objects with known members. */
  readonly bodies: ReadonlyMap<string, ReadonlyMap<string, StatedValue> | undefined>
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']
const DEPTH_MAX = 12
const JSON_TYPE = 'application/json'

/** Reads the operations of an OpenAPI 3 or Swagger 2 document. */
export function statedOperations(openapi: Json): StatedOperation[] {
  const reader = new DocumentReader(openapi)
  return Object.entries(object(openapi['paths'])).flatMap(([path, value]) => {
    const item = object(value)
    return METHODS.filter((method) => isObject(item[method])).map((method) =>
      reader.operation(method, path, object(item[method]), list(item['parameters'])),
    )
  })
}

class DocumentReader {
  private readonly root: Json

  constructor(root: Json) {
    this.root = root
  }

  operation(method: string, path: string, operation: Json, shared: readonly unknown[]): StatedOperation {
    const parameters = new Map<string, StatedValue>()
    const form = new Map<string, StatedValue>()
    const bodies = new Map<string, ReadonlyMap<string, StatedValue> | undefined>()
    for (const one of [...shared, ...list(operation['parameters'])]) {
      const parameter = this.follow(one)
      const [place, name] = [String(parameter['in']), String(parameter['name'])]
      // A reference to something that is no parameter.
      if (parameter['in'] === undefined) continue
      if (place === 'body')
        for (const type of this.consumes(operation, [JSON_TYPE]))
          bodies.set(type, this.members(parameter['schema']))
      else if (place === 'formData') form.set(name, this.value(parameter, parameter['required'] === true))
      else parameters.set(keyOf(place, name), this.value(parameter, parameter['required'] === true))
    }
    if (form.size > 0)
      for (const type of this.consumes(operation, ['application/x-www-form-urlencoded']))
        bodies.set(type, form)
    for (const [type, media] of Object.entries(object(this.follow(operation['requestBody'])['content'])))
      bodies.set(type, this.members(object(media)['schema']))
    return { method: method.toUpperCase(), path, parameters, bodies }
  }

  private consumes(operation: Json, fallback: string[]): string[] {
    const stated = list(operation['consumes'] ?? this.root['consumes']).map(String)
    return stated.length > 0 ? stated : fallback
  }

  private value(parameter: Json, required: boolean): StatedValue {
    const content = Object.values(object(parameter['content']))[0]
    const schema = parameter['schema'] ?? object(content)['schema'] ?? parameter
    return { required, types: this.types(schema) }
  }

  private members(schema: unknown, depth = 0): ReadonlyMap<string, StatedValue> | undefined {
    const value = this.follow(schema)
    const members = new Map<string, StatedValue>()
    if (depth > DEPTH_MAX) return undefined
    for (const branch of [...list(value['allOf']), ...list(value['anyOf']), ...list(value['oneOf'])])
      for (const [name, member] of this.members(branch, depth + 1) ?? [])
        members.set(name, { ...member, required: false })
    const required = new Set(list(value['required']))
    for (const [name, inner] of Object.entries(object(value['properties'])))
      members.set(name, {
        required: required.has(name) && this.follow(inner)['readOnly'] !== true,
        types: this.types(inner),
      })
    return members.size > 0 ? members : undefined
  }

  private types(schema: unknown, depth = 0): ReadonlySet<string> {
    const value = this.follow(schema)
    const types = new Set<string>()
    if (depth > DEPTH_MAX) return types
    for (const type of [value['type']].flat())
      if (typeof type === 'string' && type !== 'null') types.add(type === 'integer' ? 'number' : type)
    if (types.size > 0) return types
    if (isObject(value['properties'])) types.add('object')
    for (const branch of [...list(value['allOf']), ...list(value['anyOf']), ...list(value['oneOf'])]) {
      const inner = this.types(branch, depth + 1)
      // A branch of any type allows any.
      if (inner.size === 0 && !Array.isArray(value['allOf'])) return new Set()
      for (const type of inner) types.add(type)
    }
    return types
  }

  /** Follows references within the document. */
  private follow(value: unknown): Json {
    let current = object(value)
    for (let step = 0; typeof current['$ref'] === 'string' && step < DEPTH_MAX; step++)
      current = current['$ref']
        .replace(/^#\//, '')
        .split('/')
        .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<Json>((at, key) => object(at[key]), this.root)
    return current
  }
}

export const keyOf = (place: string, name: string): string =>
  `${place} ${place === 'header' ? name.toLowerCase() : name}`

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
