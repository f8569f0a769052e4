import type { GraphQLAbstractType, GraphQLObjectType, GraphQLOutputType, GraphQLSchema } from 'graphql'
import type { Json } from '../json.ts'
import { braced, type Composite, connectionOf, selectConnection, type SelectedFields } from './connections.ts'
import type { GraphQl } from './read.ts'
import {
  isLeafField,
  isListOutput,
  leafSchema,
  type OutputField,
  selectableFields,
  wrapSchema,
} from './result-schema.ts'

/** The selection set of a field, and the JSON Schema of its result. */
export interface Selection {
  /** Empty for a scalar or an enum. */
  readonly text: string
  readonly schema: Json
  /** Whether the result is a page of a list. */
  readonly paged: boolean
}

/** Scalar fields selected of the result itself, of objects in it, and of objects in those. */
const LEAVES_MAX = [40, 8, 5] as const
const BRIEF_LEAVES_MAX = 4
const LEVEL_MAX = 2
const FIELDS_MAX = 120
const NESTED_MAX = 12
const POSSIBLE_TYPES_MAX = 8
const NESTED_PAGE_SIZE = 10
/** Fields that identify an object come first. */
const IDENTIFYING_FIELDS = (
  'id databaseId identifier key number handle slug name title displayName fullName login username email url ' +
  'state status type code message field value amount currencyCode success'
).split(' ')

/** The place in the result for which fields are selected. */
interface Position {
  readonly level: number
  readonly inList: boolean
  /** Names of the types around it; one that repeats is selected briefly. */
  readonly types: readonly string[]
  readonly brief?: boolean
}

interface SelectionContext {
  readonly schema: GraphQLSchema
  readonly graphql: GraphQl
  /** Fields that may still be selected. */
  budget: number
}

type AliasOf = (field: OutputField) => string | undefined

/**
 * Returns a function that selects the fields of a result: ids and names first, then the other scalars, then
 * nested objects to a depth of two. A connection gives its nodes and whether there are more; an interface or
 * a union gives the fields of each of its types. Fields that need an argument, and deprecated ones, are left
 * out.
 */
export function selector(schema: GraphQLSchema, graphql: GraphQl): (type: GraphQLOutputType) => Selection {
  return (type) => {
    const namedType = graphql.getNamedType(type)
    if (!graphql.isCompositeType(namedType))
      return { text: '', schema: leafSchema(type, graphql), paged: false }
    const context: SelectionContext = { schema, graphql, budget: FIELDS_MAX }
    const inList = isListOutput(type, graphql)
    const selected = selectComposite(context, namedType, { level: 0, inList, types: [] })
    return {
      text: braced(selected),
      schema: wrapSchema(type, { type: 'object', properties: selected.properties }, graphql),
      paged: connectionOf(namedType, graphql) !== undefined,
    }
  }
}

function selectComposite(context: SelectionContext, type: Composite, position: Position): SelectedFields {
  const { graphql } = context
  const inner = { ...position, types: [...position.types, type.name] }
  // A connection whose nodes are connections of the same type would never end.
  const connection = position.types.includes(type.name) ? undefined : connectionOf(type, graphql)
  if (connection) {
    const nodes = connection.node && selectComposite(context, connection.node, { ...inner, inList: true })
    return selectConnection(connection, nodes, position.brief ?? false, graphql)
  }
  return graphql.isAbstractType(type)
    ? selectPossibleTypes(context, type, position)
    : selectFields(context, selectableFields(type, graphql), inner)
}

/**
 * Selects the fields of an interface or a union, per type. A field whose type differs between two types gets
 * an alias, because the document would be invalid otherwise (GraphQL October 2021 section 5.3.2).
 */
function selectPossibleTypes(
  context: SelectionContext,
  type: GraphQLAbstractType,
  position: Position,
): SelectedFields {
  const { schema, graphql } = context
  const interfaceFields = graphql.isInterfaceType(type) ? type.getFields() : {}
  const common = graphql.isInterfaceType(type) ? selectableFields(type, graphql) : []
  const possible = schema.getPossibleTypes(type).slice(0, POSSIBLE_TYPES_MAX)
  const firstTypes = new Map<string, string>()
  for (const one of [...(graphql.isInterfaceType(type) ? [type] : []), ...possible])
    for (const field of Object.values(one.getFields()))
      if (!firstTypes.has(field.name)) firstTypes.set(field.name, String(field.type))
  const level = Math.min(position.level + 1, LEVEL_MAX)
  const inner: Position = { ...position, level, types: [...position.types, type.name] }
  const shared = selectFields(context, common, inner)
  const properties: Record<string, Json> = {
    __typename: { type: 'string', description: 'Name of the object type.' },
    ...shared.properties,
  }
  const texts = ['__typename', shared.text]
  for (const one of possible) {
    const own = selectableFields(one, graphql).filter(({ name }) => !Object.hasOwn(interfaceFields, name))
    const aliasOf = (field: OutputField) =>
      firstTypes.get(field.name) === String(field.type) ? undefined : aliasName(one, field)
    const selected = selectFields(context, own, { ...inner, types: [...inner.types, one.name] }, aliasOf)
    if (selected.text === '') continue
    texts.push(`... on ${one.name} ${braced(selected)}`)
    for (const [name, value] of Object.entries(selected.properties)) properties[name] ??= value
  }
  return { text: texts.filter(Boolean).join(' '), properties }
}

function aliasName({ name }: GraphQLObjectType, field: OutputField): string {
  return `${name[0]!.toLowerCase()}${name.slice(1)}_${field.name}`
}

function selectFields(
  context: SelectionContext,
  fields: readonly OutputField[],
  position: Position,
  aliasOf: AliasOf = () => undefined,
): SelectedFields {
  const { graphql } = context
  const texts: string[] = []
  const properties: Record<string, Json> = {}
  const add = (field: OutputField, suffix: string, value: Json) => {
    const alias = aliasOf(field)
    properties[alias ?? field.name] = value
    texts.push(`${alias === undefined ? '' : `${alias}: `}${field.name}${suffix}`)
  }
  const leaves = fields.filter((field) => isLeafField(field, graphql)).sort(byIdentity)
  for (const field of leaves.slice(0, position.brief ? BRIEF_LEAVES_MAX : LEAVES_MAX[position.level])) {
    if (context.budget <= 0) break
    context.budget--
    add(field, '', leafSchema(field.type, graphql))
  }
  if (!position.brief && position.level < LEVEL_MAX) {
    const nested = fields.filter((field) => !isLeafField(field, graphql))
    for (const field of nested.slice(0, position.level === 0 ? nested.length : NESTED_MAX)) {
      const selected = selectNested(context, field, position)
      if (selected) add(field, selected.suffix, selected.schema)
    }
  }
  return { text: texts.join(' '), properties }
}

function selectNested(
  context: SelectionContext,
  field: OutputField,
  position: Position,
): { suffix: string; schema: Json } | undefined {
  const { graphql } = context
  const type = graphql.getNamedType(field.type) as Composite
  const isConnection = connectionOf(type, graphql) !== undefined
  const takesPageSize = field.args.some(
    ({ name, type: argumentType }) => name === 'first' && String(argumentType) === 'Int',
  )
  // Nested lists multiply, and servers reject them or charge for them.
  if (context.budget <= 0 || ((isConnection || takesPageSize) && (position.inList || position.level > 0)))
    return undefined
  const selected = selectComposite(context, type, {
    level: position.level + 1,
    inList: position.inList || isListOutput(field.type, graphql),
    types: position.types,
    ...((isConnection || position.types.includes(type.name)) && { brief: true }),
  })
  if (selected.text === '') return undefined
  return {
    suffix: `${takesPageSize ? `(first: ${NESTED_PAGE_SIZE})` : ''} ${braced(selected)}`,
    schema: wrapSchema(field.type, { type: 'object', properties: selected.properties }, graphql),
  }
}

function identityRank({ name }: OutputField): number {
  const index = IDENTIFYING_FIELDS.indexOf(name)
  return index < 0 ? IDENTIFYING_FIELDS.length : index
}

const byIdentity = (a: OutputField, b: OutputField) => identityRank(a) - identityRank(b)
