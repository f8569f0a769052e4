import { isObject, type Json, list, object, getOwn } from '../json.ts'
import { references } from '../openapi/references.ts'
import { schemaWriter } from '../schema/writer.ts'
import { type Argument, describedAs } from '../tools/tool-argument.ts'
import { inputOf } from '../tools/input-schema.ts'
import { inWords } from '../tools/words.ts'

const DEPTH = 3

/**
 * The arguments of a tool from its JSON Schema of any draft, as every input is written: references within it
 * followed, circles cut, patterns and defaults told. Members keep their names, since they are sent as they
 * are. What is left out lets more pass; the server judges.
 */
export function inputFrom(schema: Json): Json {
  const links = references(schema, '', new Map())
  const writer = schemaWriter(links, 'request')
  const place = { value: schema, base: '' }
  const shape = writer.write(place, 1)?.json ?? {}
  const branches = list(shape['anyOf']).filter((one) => isObject(getOwn(one, 'properties')))
  if (Object.keys(object(shape['properties'])).length === 0 && branches.length > 0)
    return ofBranches(list((writer.write(place, DEPTH)?.json ?? shape)['anyOf']))
  // Some generators of schemas list arguments as required that have a default; the server fills them in.
  const own = ownProperties(links.follow(place).value as Json)
  const required = new Set(
    list(shape['required']).filter((name) => getOwn(own[String(name)], 'default') === undefined),
  )
  const names = Object.keys(object(shape['properties'] ?? ownProperties(schema)))
  const args = names.map((name): Argument => ({
    name,
    required: required.has(name),
    write(writer, depth) {
      const whole = writer.write(place, depth + 1)
      return (
        whole && { json: described(name, object(getOwn(whole.json['properties'], name))), cut: whole.cut }
      )
    },
    bare: () => ({ description: `${inWords(name)}.` }),
  }))
  const input = inputOf(args, writer)
  const open = openness(links.follow(place).value, shape)
  return open === undefined ? input : { ...input, additionalProperties: open }
}

/** So many that they are not written out: their names are still those of the arguments. */
const ownProperties = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(object(getOwn(schema, 'properties'))).filter(([name]) => name !== '__proto__'),
  )

const described = (name: string, json: Json): Json => ({
  ...json,
  description: describedAs(json, undefined, inWords(name)),
})

/**
 * Arguments beyond those that are named: where the server takes them on purpose, or says nothing of any.
 * Elsewhere one too many is a misspelling.
 */
function openness(schema: unknown, shape: Json): unknown {
  const extra = getOwn(schema, 'additionalProperties')
  if (extra === false) return undefined
  if (isObject(shape['additionalProperties'])) return shape['additionalProperties']
  const isSilent = getOwn(schema, 'properties') === undefined && shape['properties'] === undefined
  return extra === true || isObject(extra) || isSilent ? true : undefined
}

/**
 * One of several sets of arguments: all of them, of which those are required that every set requires. Which
 * go together the server says.
 */
function ofBranches(branches: readonly unknown[]): Json {
  const properties: Json = {}
  for (const branch of branches)
    for (const [name, json] of Object.entries(object(getOwn(branch, 'properties'))))
      if (!Object.hasOwn(properties, name)) properties[name] = described(name, object(json))
  const required = list(getOwn(branches[0], 'required')).filter((name) =>
    branches.every((branch) => list(getOwn(branch, 'required')).includes(name)),
  )
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: true }
}
