import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'
import type { toolRequest } from '../../src/catalog/importers/tools/tool-request.ts'

/**
 * The input with arguments that are not required, whatever the document states. The name `*` means all; those of the
 * path stay required.
 */
export function withOptional(
  input: Json,
  names: readonly (string | undefined)[],
  ofPath: readonly string[],
): Json {
  if (!Array.isArray(input['required'])) return input
  const isOptional = (name: string) => names.includes('*') || names.includes(name)
  const required = input['required'].map(String).filter((name) => ofPath.includes(name) || !isOptional(name))
  const { required: _, ...rest } = input
  return required.length > 0 ? { ...input, required } : rest
}

/** The input with further required arguments. @throws Error for one that the operation does not have */
export function withRequired(input: Json, names: readonly string[], operation: string): Json {
  const unknown = names.filter((name) => !Object.hasOwn(object(input['properties']), name))
  if (unknown.length > 0)
    throw new Error(`overlay: ${operation} requires ${unknown.join(', ')}, which are no arguments of it.`)
  const required = Array.isArray(input['required']) ? input['required'].map(String) : []
  return names.length === 0 ? input : { ...input, required: [...new Set([...required, ...names])] }
}

/** Leaves out members of the body: Slack's `token` is a parameter of some operations and a member of others. */
export function withoutMembers(
  { input, request }: ReturnType<typeof toolRequest>,
  hidden: readonly string[],
): ReturnType<typeof toolRequest> {
  const without = (record: unknown) =>
    Object.fromEntries(Object.entries(object(record)).filter(([name]) => !hidden.includes(name)))
  if (!isObject(request.body) || !hidden.some((name) => Object.hasOwn(object(request.body), name)))
    return { input, request }
  const required = (Array.isArray(input['required']) ? input['required'] : []).filter(
    (name) => !hidden.includes(String(name)),
  )
  return {
    input: { ...input, properties: without(input['properties']), required },
    request: { ...request, body: without(request.body) },
  }
}

/** The schema without the empty text among its values: no value of a path, and no choice where one is required. */
export function withoutEmptyValue(schema: Json): Json {
  const values = schema['enum']
  if (!Array.isArray(values) || !values.includes('')) return schema
  const { enum: _, ...rest } = schema
  const choices: unknown[] = values.filter((value) => value !== '')
  return choices.length > 0 ? { ...rest, enum: choices } : rest
}

/** Names of the arguments of a path. */
export const pathArguments = (path: string): string[] =>
  [...path.matchAll(/\{\+?([A-Za-z_][\w.-]*)[^{}]*\}/g)].map(([, name]) => name!)

/** For each argument of the path, the fixed segment before it: `orgs` for `org` in `/orgs/{org}`. */
export function selectedBy(path: string): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  let before = ''
  for (const segment of path.split('/')) {
    const [name] = pathArguments(segment)
    if (name === undefined) before = segment
    else places.set(name, before)
  }
  return places
}
