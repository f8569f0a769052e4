import type { Argument } from './tool-argument.ts'
import type { SchemaWriter } from '../schema/writer.ts'
import type { Json } from '../json.ts'
import { BOUNDS } from '../bounds.ts'
import { ImportRejected } from '../import-rejected.ts'
import { plainText } from './words.ts'

/**
 * The deepest input that is still read: arguments are cut to the depth at which all of them together are
 * small enough.
 */
export function inputOf(args: readonly Argument[], writer: SchemaWriter): Json {
  let best: Json | undefined
  for (const depth of [1, 2, 3, 4, 6, 9]) {
    const written = args.map((one) => one.write(writer, depth))
    if (written.includes(undefined)) break
    const input = inputSchema(
      args,
      written.map((one) => one!.json),
    )
    const { length } = JSON.stringify(input)
    if (best !== undefined && length > BOUNDS.inputCharacters) break
    best = input
    if (length > BOUNDS.inputCharacters || !written.some((one) => one!.cut)) break
  }
  best ??= inputSchema(
    args,
    args.map((one) => one.bare()),
  )
  return JSON.stringify(best).length > BOUNDS.inputCharacters ? slimmed(args, best) : best
}

function inputSchema(args: readonly Argument[], schemas: readonly Json[]): Json {
  const required = args.filter((one) => one.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name }, index) => [name, schemas[index]!])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/**
 * Hundreds of arguments: what is optional loses all but its type, its values and the first words about it.
 */
function slimmed(args: readonly Argument[], input: Json): Json {
  const properties = input['properties'] as Record<string, Json>
  const slim = args.map(({ name, required }) => (required ? properties[name]! : brief(properties[name]!)))
  const out = inputSchema(args, slim)
  if (JSON.stringify(out).length > BOUNDS.inputCharactersMax)
    throw new ImportRejected(
      'too_large',
      `The arguments of the operation take more than ${BOUNDS.inputCharactersMax} characters to describe.`,
    )
  return out
}

const brief = ({ type, description, enum: values, items }: Json): Json => ({
  ...(type !== undefined && { type }),
  ...(typeof description === 'string' && { description: plainText(description, 80) }),
  ...(Array.isArray(values) && values.length <= 20 && { enum: values }),
  ...(items !== undefined && { items: {} }),
})
