import type {
  GraphQLArgument,
  GraphQLInputField,
  GraphQLInputType,
  GraphQLNamedInputType,
  GraphQLSchema,
} from 'graphql'
import { type Json, object } from '../json.ts'
import { type References, references } from '../openapi/references.ts'
import type { GraphQl } from './read.ts'
import { isUpload, scalarSchema } from './scalars.ts'

/**
 * The input types of a GraphQL schema as one document of JSON Schemas that refer to each other, so that they
 * are written out as those of any API.
 */
export interface InputSchemas {
  readonly references: References
  of(input: GraphQLArgument | GraphQLInputField): Json
}

export function inputSchemas(schema: GraphQLSchema, graphql: GraphQl): InputSchemas {
  const refer = (type: GraphQLInputType): Json => {
    if (graphql.isNonNullType(type)) return refer(type.ofType as GraphQLInputType)
    if (graphql.isListType(type)) return { type: 'array', items: refer(type.ofType as GraphQLInputType) }
    return graphql.isScalarType(type)
      ? scalarSchema(type.name, type.description)
      : { $ref: `#/types/${(type as GraphQLNamedInputType).name}` }
  }
  const of = (input: GraphQLArgument | GraphQLInputField): Json => {
    const written = refer(input.type)
    return {
      ...written,
      ...(input.description && { description: input.description }),
      ...(input.deprecationReason != null && { deprecated: true }),
      ...(isPlain(input.defaultValue) && { default: input.defaultValue }),
    }
  }
  const types = Object.values(schema.getTypeMap()).flatMap((type): [string, Json][] => {
    if (graphql.isEnumType(type))
      return [
        [
          type.name,
          {
            type: 'string',
            ...described(type.description),
            enum: type
              .getValues()
              .filter((one) => one.deprecationReason == null)
              .map((one) => one.name),
          },
        ],
      ]
    if (!graphql.isInputObjectType(type)) return []
    const fields = Object.values(type.getFields()).filter(
      (field) => !isUpload(graphql.getNamedType(field.type).name),
    )
    const description = [type.description ?? '', type.isOneOf ? 'Give exactly one of its members.' : '']
      .filter(Boolean)
      .join(' ')
    return [
      [
        type.name,
        {
          type: 'object',
          ...described(description),
          properties: Object.fromEntries(fields.map((field) => [field.name, of(field)])),
          required: fields.filter(graphql.isRequiredInputField).map((field) => field.name),
        },
      ],
    ]
  })
  return { references: references(object({ types: Object.fromEntries(types) }), '', new Map()), of }
}

const described = (description: string | null | undefined): Json => (description ? { description } : {})

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
