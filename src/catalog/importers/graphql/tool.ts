import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLSchema,
} from 'graphql'
import { argumentNames } from '../tools/arguments.ts'
import { BOUNDS } from '../bounds.ts'
import { effectOfName } from '../tools/effect.ts'
import type { Json } from '../json.ts'
import type { ToolManifest } from '../../manifest/format/index.ts'
import { outputOf } from '../tools/output.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'
import { schemaWriter } from '../schema/writer.ts'
import { type Argument, argumentOf, fixedArgument } from '../tools/tool-argument.ts'
import { inputOf } from '../tools/tool-request.ts'
import { inWords, plainText, shortened } from '../tools/words.ts'
import type { Call } from './calls.ts'
import type { GraphQl } from './read.ts'
import { isUpload } from './scalars.ts'
import { inputSchemas } from './schemas.ts'
import { selector } from './selection.ts'

export interface Endpoint {
  readonly path: string
  readonly query: Json
  readonly reserved: readonly string[]
}

const FLAT_MAX = 60
const PAGE = 20
const DESCRIPTION_MAX = 800

/**
 * Makes tools of the fields of Query and Mutation: each a document that is always the same, and variables
 * that arguments fill.
 */
export function toolMaker(schema: GraphQLSchema, graphql: GraphQl, endpoint: Endpoint, title: string) {
  const inputs = inputSchemas(schema, graphql)
  const writer = schemaWriter(inputs.references, 'request')
  const results = schemaWriter(inputs.references, 'result')
  const select = selector(schema, graphql)

  const argument = (
    name: string,
    argument: GraphQLArgument | GraphQLInputField,
    required: boolean,
    nullable: boolean,
  ): Argument => {
    const schema = inputs.of(argument)
    return argumentOf({
      name,
      required,
      place: { value: nullable ? { ...schema, nullable: true } : schema, base: '' },
      description: argument.description ? plainText(argument.description, 300) : undefined,
      fallback: inWords(argument.name),
    })
  }

  /** @throws ImportRejected */
  return ({ kind, field, title: name }: Call, slug: string): ToolManifest => {
    const reserved = field.args.find(({ name }) => name.startsWith('__'))
    if (reserved)
      throw new ImportRejected(
        'unsafe_name',
        `An argument is called ${quoted(reserved.name)}; such names are those of the language itself.`,
      )
    const selection = select(field.type)
    const nameOf = argumentNames(endpoint.reserved)
    const args: Argument[] = []
    const variables: Json = {}
    const effect = kind === 'query' ? 'read' : (effectOfName(field.name) ?? 'update')
    const includedArguments = field.args.filter((one) => !isLeftOut(one, field, selection.paged))
    for (const one of includedArguments) {
      const members = flatMembers(one)
      if (members) {
        const template: Json = {}
        for (const member of members) {
          const chosen = nameOf(member.name, one.name)
          template[member.name] = { $: chosen }
          // Only where something is changed does null say more than leaving out: it takes the value away.
          args.push(
            argument(
              chosen,
              member,
              graphql.isRequiredInputField(member),
              effect === 'update' && !graphql.isNonNullType(member.type),
            ),
          )
        }
        variables[one.name] = template
        continue
      }
      const chosen = nameOf(one.name, 'argument')
      variables[one.name] = { $: chosen }
      args.push(
        selection.paged && isPageSize(one)
          ? fixedArgument(chosen, false, {
              type: 'integer',
              description: one.description ? plainText(one.description, 200) : 'How many to return.',
              default: PAGE,
              minimum: 1,
            })
          : argument(chosen, one, graphql.isRequiredArgument(one), false),
      )
    }
    if (args.length > BOUNDS.arguments)
      throw new ImportRejected(
        'too_large',
        `The field takes ${args.length} arguments; at most ${BOUNDS.arguments} are read.`,
      )
    return {
      slug,
      name,
      description: descriptionOf(field, kind, name, title),
      effect,
      ...(field.deprecationReason != null && { deprecated: true }),
      tags: [kind === 'query' ? 'queries' : 'mutations'],
      input: inputOf(args, writer),
      output: outputOf({ value: selection.schema, base: '' }, results),
      request: {
        method: 'POST',
        path: endpoint.path,
        ...(Object.keys(endpoint.query).length > 0 && { query: endpoint.query }),
        body: {
          query: documentOf(
            kind,
            field,
            includedArguments.map((one) => ({ name: one.name, type: declared(one) })),
            selection.text,
          ),
          ...(includedArguments.length > 0 && { variables }),
        },
      },
      response: { pick: `data.${field.name}` },
    }
  }

  /** The other way through a page, and files. @throws ImportRejected when a file is required. */
  function isLeftOut(
    argument: GraphQLArgument,
    field: GraphQLField<unknown, unknown>,
    paged: boolean,
  ): boolean {
    if (isUpload(graphql.getNamedType(argument.type).name)) {
      if (graphql.isRequiredArgument(argument))
        throw new ImportRejected(
          'unsupported_body',
          `The field needs a file in ${quoted(argument.name)}. GraphQL itself has no way to send one; use another operation of the application.`,
        )
      return true
    }
    const forward =
      field.args.some((one) => isPageSize(one)) && field.args.some(({ name }) => name === 'after')
    return (
      paged &&
      forward &&
      (argument.name === 'last' || argument.name === 'before') &&
      !graphql.isRequiredArgument(argument)
    )
  }

  /**
   * An object without fields is left out of the variables, so it has a default where all of its fields are
   * optional.
   */
  function declared(argument: GraphQLArgument): string {
    const bare =
      flatMembers(argument) &&
      !Object.values((graphql.getNamedType(argument.type) as GraphQLInputObjectType).getFields()).some(
        graphql.isRequiredInputField,
      )
    return `${String(argument.type)}${bare ? ' = {}' : ''}`
  }

  /** The members of an input object that the call cannot do without: asked for one by one. */
  function flatMembers(argument: GraphQLArgument): readonly GraphQLInputField[] | undefined {
    if (!graphql.isNonNullType(argument.type) || !graphql.isInputObjectType(argument.type.ofType))
      return undefined
    if (argument.type.ofType.isOneOf) return undefined
    const members = Object.values(argument.type.ofType.getFields())
    for (const one of members) {
      if (isUpload(graphql.getNamedType(one.type).name) && graphql.isRequiredInputField(one))
        throw new ImportRejected(
          'unsupported_body',
          `The field needs a file in ${quoted(one.name)}. GraphQL itself has no way to send one; use another operation of the application.`,
        )
    }
    const asked = members.filter(
      (one) => one.name !== 'clientMutationId' && !isUpload(graphql.getNamedType(one.type).name),
    )
    return asked.length > 0 && asked.length <= FLAT_MAX && !members.some(({ name }) => name === '$')
      ? asked
      : undefined
  }
}

const isPageSize = ({ name, type }: GraphQLArgument) => name === 'first' && String(type) === 'Int'

/** Braces stand before white space, so that a template takes them for themselves. */
function documentOf(
  kind: Call['kind'],
  field: GraphQLField<unknown, unknown>,
  args: readonly { name: string; type: string }[],
  selection: string,
): string {
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  return `${kind} ${field.name}${declared === '' ? '' : `(${declared})`} { ${field.name}${passed === '' ? '' : `(${passed})`}${selection === '' ? '' : ` ${selection}`} }`
}

function descriptionOf(
  { description, deprecationReason, name: wire }: GraphQLField<unknown, unknown>,
  kind: Call['kind'],
  name: string,
  title: string,
): string {
  const plainDescription = description ? plainText(description, DESCRIPTION_MAX) : ''
  const said =
    plainDescription.length >= 20
      ? plainDescription
      : `${plainDescription === '' ? name : plainDescription.replace(/[.\s]+$/, '')}: the ${kind} \`${wire}\` of the API ${title}.`
  return shortened(
    deprecationReason == null
      ? said
      : `Deprecated${deprecationReason ? `: ${plainText(deprecationReason, 150).replace(/\.$/, '')}` : ''}. ${said}`,
    DESCRIPTION_MAX,
  )
}
