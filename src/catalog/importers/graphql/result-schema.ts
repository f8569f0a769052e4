import type { GraphQLField, GraphQLInterfaceType, GraphQLObjectType, GraphQLOutputType } from 'graphql'
import type { Json } from '../json.ts'
import type { GraphQl } from './read.ts'
import { scalarSchema } from './scalars.ts'

export type OutputField = GraphQLField<unknown, unknown>

/**
 * Returns the fields that a generated document may select: not deprecated, without required arguments, and
 * not one of GraphQL's own (names that start with two underscores, GraphQL October 2021 section 2.1.9).
 */
export function selectableFields(
  type: GraphQLObjectType | GraphQLInterfaceType,
  graphql: GraphQl,
): OutputField[] {
  return Object.values(type.getFields()).filter(
    (field) =>
      !field.name.startsWith('__') &&
      field.name !== 'clientMutationId' &&
      field.deprecationReason == null &&
      !field.args.some(graphql.isRequiredArgument),
  )
}

/** Returns whether a field holds scalars or enums, possibly in lists. */
export function isLeafField(field: OutputField, graphql: GraphQl): boolean {
  return graphql.isLeafType(graphql.getNamedType(field.type))
}

/** Returns whether the outermost type, apart from `!`, is a list. */
export function isListOutput(type: GraphQLOutputType, graphql: GraphQl): boolean {
  return graphql.isNonNullType(type) ? isListOutput(type.ofType, graphql) : graphql.isListType(type)
}

/** Returns the JSON Schema of a scalar or enum with its lists and nulls. */
export function leafSchema(type: GraphQLOutputType, graphql: GraphQl): Json {
  const namedType = graphql.getNamedType(type)
  const inner = graphql.isEnumType(namedType)
    ? { type: 'string', enum: namedType.getValues().map((one) => one.name) }
    : scalarSchema(namedType.name, undefined)
  return wrapSchema(type, inner, graphql)
}

/** Returns the JSON Schema of a type, where `inner` is the schema of its named type. */
export function wrapSchema(type: GraphQLOutputType, inner: Json, graphql: GraphQl): Json {
  const listed = (listType: GraphQLOutputType): Json =>
    graphql.isListType(listType)
      ? { type: 'array', items: wrapSchema(listType.ofType as GraphQLOutputType, inner, graphql) }
      : inner
  if (graphql.isNonNullType(type)) return listed(type.ofType)
  const written = listed(type)
  return Object.keys(written).length === 0 ? written : { ...written, nullable: true }
}
