import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLSchema,
} from 'graphql'
import { BOUNDS } from '../bounds.ts'
import { ImportRejected, quoted } from '../import-rejected.ts'
import type { Json } from '../json.ts'
import type { References } from '../openapi/references.ts'
import { argumentNames } from '../tools/arguments.ts'
import type { Effect } from '../tools/effect.ts'
import { type Argument, argumentOf, fixedArgument } from '../tools/tool-argument.ts'
import { inWords, plainText } from '../tools/words.ts'
import type { GraphQl } from './read.ts'
import { isUpload } from './scalars.ts'
import { inputSchemas, type InputSchemas } from './schemas.ts'

/** What a tool needs of one field of Query or Mutation. */
export interface FieldContext {
  readonly field: GraphQLField<unknown, unknown>
  readonly effect: Effect
  /** Whether the result is a page of a list. */
  readonly paged: boolean
  /** Argument names that other parts of the request use. */
  readonly reserved: readonly string[]
}

/** The arguments of a tool, the variables they fill, and the declarations of those variables. */
export interface ToolArguments {
  readonly args: readonly Argument[]
  readonly variables: Json
  readonly declarations: readonly { readonly name: string; readonly type: string }[]
}

export interface ToolArgumentReader {
  readonly references: References
  /** @throws ImportRejected */
  read(context: FieldContext): ToolArguments
}

const FLAT_MAX = 60
const PAGE_SIZE_DEFAULT = 20

/**
 * Reads the arguments of fields. A required input object gives one tool argument per field of it, any other
 * argument gives one tool argument.
 */
export function toolArgumentReader(schema: GraphQLSchema, graphql: GraphQl): ToolArgumentReader {
  const inputs = inputSchemas(schema, graphql)
  return {
    references: inputs.references,
    read: (context) => readArguments(context, inputs, graphql),
  }
}

function readArguments(context: FieldContext, inputs: InputSchemas, graphql: GraphQl): ToolArguments {
  const { field, paged } = context
  const reserved = field.args.find(({ name }) => name.startsWith('__'))
  if (reserved)
    throw new ImportRejected(
      'unsafe_name',
      `An argument is called ${quoted(reserved.name)}; GraphQL reserves names that start with two underscores.`,
    )
  const included = field.args.filter((one) => !isLeftOut(one, context, graphql))
  const nameOf = argumentNames(context.reserved)
  const args: Argument[] = []
  const variables: Json = {}
  for (const one of included) {
    const inputFields = flattenedFields(one, graphql)
    if (inputFields) {
      variables[one.name] = addInputFields(one, inputFields)
      continue
    }
    const name = nameOf(one.name, 'argument')
    variables[one.name] = { $: name }
    const required = graphql.isRequiredArgument(one)
    args.push(
      paged && isPageSize(one)
        ? pageSizeArgument(name, one)
        : inputArgument(name, one, inputs, { required, nullable: false }),
    )
  }
  if (args.length > BOUNDS.arguments)
    throw new ImportRejected(
      'too_large',
      `The field takes ${args.length} arguments; at most ${BOUNDS.arguments} are read.`,
    )
  const declarations = included.map((one) => ({ name: one.name, type: declaredType(one, graphql) }))
  return { args, variables, declarations }

  function addInputFields(argument: GraphQLArgument, inputFields: readonly GraphQLInputField[]): Json {
    const template: Json = {}
    for (const one of inputFields) {
      const name = nameOf(one.name, argument.name)
      template[one.name] = { $: name }
      // Null differs from absence only in updates, where it removes the value.
      const nullable = context.effect === 'update' && !graphql.isNonNullType(one.type)
      const required = graphql.isRequiredInputField(one)
      args.push(inputArgument(name, one, inputs, { required, nullable }))
    }
    return template
  }
}

function inputArgument(
  name: string,
  input: GraphQLArgument | GraphQLInputField,
  inputs: InputSchemas,
  { required, nullable }: { required: boolean; nullable: boolean },
): Argument {
  const schema = inputs.of(input)
  return argumentOf({
    name,
    required,
    place: { value: nullable ? { ...schema, nullable: true } : schema, base: '' },
    description: input.description ? plainText(input.description, 300) : undefined,
    fallback: inWords(input.name),
  })
}

function pageSizeArgument(name: string, { description }: GraphQLArgument): Argument {
  return fixedArgument(name, false, {
    type: 'integer',
    description: description ? plainText(description, 200) : 'How many to return.',
    default: PAGE_SIZE_DEFAULT,
    minimum: 1,
  })
}

/** Leaves out files, and `last` and `before` where `first` and `after` page through the same list. */
function isLeftOut(argument: GraphQLArgument, { field, paged }: FieldContext, graphql: GraphQl): boolean {
  const required = graphql.isRequiredArgument(argument)
  if (isUpload(graphql.getNamedType(argument.type).name)) {
    if (required) throw uploadRejected(argument.name)
    return true
  }
  const pagesForward = field.args.some(isPageSize) && field.args.some(({ name }) => name === 'after')
  return paged && pagesForward && !required && (argument.name === 'last' || argument.name === 'before')
}

/**
 * Returns the type of a variable. A flattened input object without any value is left out of the variables, so
 * it has a default where all of its fields are optional.
 */
function declaredType(argument: GraphQLArgument, graphql: GraphQl): string {
  const type = String(argument.type)
  if (!flattenedFields(argument, graphql)) return type
  const inputType = graphql.getNamedType(argument.type) as GraphQLInputObjectType
  return Object.values(inputType.getFields()).some(graphql.isRequiredInputField) ? type : `${type} = {}`
}

/** Returns the fields of a required input object that become tool arguments of their own. */
function flattenedFields(
  argument: GraphQLArgument,
  graphql: GraphQl,
): readonly GraphQLInputField[] | undefined {
  if (!graphql.isNonNullType(argument.type) || !graphql.isInputObjectType(argument.type.ofType))
    return undefined
  if (argument.type.ofType.isOneOf) return undefined
  const inputFields = Object.values(argument.type.ofType.getFields())
  const isFile = (one: GraphQLInputField) => isUpload(graphql.getNamedType(one.type).name)
  const requiredFile = inputFields.find((one) => isFile(one) && graphql.isRequiredInputField(one))
  if (requiredFile) throw uploadRejected(requiredFile.name)
  const flattened = inputFields.filter((one) => one.name !== 'clientMutationId' && !isFile(one))
  return flattened.length > 0 && flattened.length <= FLAT_MAX && !inputFields.some(({ name }) => name === '$')
    ? flattened
    : undefined
}

function uploadRejected(name: string): ImportRejected {
  return new ImportRejected(
    'unsupported_body',
    `The field needs a file in ${quoted(name)}. GraphQL itself has no way to send one; use another operation ` +
      'of the application.',
  )
}

const isPageSize = ({ name, type }: GraphQLArgument) => name === 'first' && String(type) === 'Int'
