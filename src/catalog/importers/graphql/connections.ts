import type { GraphQLAbstractType, GraphQLNamedType, GraphQLObjectType } from 'graphql'
import type { Json } from '../json.ts'
import type { GraphQl } from './read.ts'
import { isLeafField, isListOutput, leafSchema, selectableFields } from './result-schema.ts'

export type Composite = GraphQLObjectType | GraphQLAbstractType

/** A page of a list: a Relay cursor connection, or one with `nodes` in place of `edges { node }`. */
export interface Connection {
  readonly type: GraphQLObjectType
  readonly path: 'nodes' | 'edges'
  /** Absent when the nodes are scalars. */
  readonly node: Composite | undefined
}

/** The fields selected of an object, with the JSON Schema of each. */
export interface SelectedFields {
  readonly text: string
  readonly properties: Record<string, Json>
}

const COUNTS_MAX = 3
const PAGE_INFO_SCHEMAS: Readonly<Record<string, Json>> = {
  hasNextPage: { type: 'boolean', description: 'Whether there is a next page.' },
  endCursor: { type: ['string', 'null'], description: 'Pass it as `after` to get the next page.' },
}

/** Returns the connection that a type is, if it is one: https://relay.dev/graphql/connections.htm */
export function connectionOf(type: GraphQLNamedType, graphql: GraphQl): Connection | undefined {
  if (!graphql.isObjectType(type)) return undefined
  const usable = selectableFields(type, graphql)
  const [nodes, edges, pageInfo] = ['nodes', 'edges', 'pageInfo'].map((name) =>
    usable.find((field) => field.name === name),
  )
  if (!pageInfo || !graphql.isCompositeType(graphql.getNamedType(pageInfo.type))) return undefined
  const edge = edges && graphql.getNamedType(edges.type)
  const listed =
    nodes && isListOutput(nodes.type, graphql)
      ? nodes
      : graphql.isObjectType(edge)
        ? selectableFields(edge, graphql).find(({ name }) => name === 'node')
        : undefined
  if (!listed) return undefined
  const node = graphql.getNamedType(listed.type)
  return {
    type,
    path: listed === nodes ? 'nodes' : 'edges',
    node: graphql.isCompositeType(node) ? node : undefined,
  }
}

/** Selects the nodes, the page information, and, unless `brief`, plain values such as `totalCount`. */
export function selectConnection(
  { type, path }: Connection,
  nodes: SelectedFields | undefined,
  brief: boolean,
  graphql: GraphQl,
): SelectedFields {
  const counts = brief
    ? []
    : selectableFields(type, graphql)
        .filter((field) => isLeafField(field, graphql) && !isListOutput(field.type, graphql))
        .slice(0, COUNTS_MAX)
  const pageInfo = pageInfoFields(type, graphql)
  const nodesText = nodes ? ` ${braced(nodes)}` : ''
  const texts = [
    path === 'nodes' ? `nodes${nodesText}` : `edges { node${nodesText} }`,
    pageInfo.length > 0 ? `pageInfo { ${pageInfo.join(' ')} }` : '',
    ...counts.map((field) => field.name),
  ]
  const pageInfoProperties = Object.fromEntries(pageInfo.map((name) => [name, PAGE_INFO_SCHEMAS[name]]))
  return {
    text: texts.filter(Boolean).join(' '),
    properties: {
      ...listSchema(path, nodes ? { type: 'object', properties: nodes.properties } : {}),
      ...(pageInfo.length > 0 && { pageInfo: { type: 'object', properties: pageInfoProperties } }),
      ...Object.fromEntries(counts.map((field) => [field.name, leafSchema(field.type, graphql)])),
    },
  }
}

/** Returns the selection set; an object without selectable fields is asked for its type name. */
export function braced({ text }: SelectedFields): string {
  return `{ ${text === '' ? '__typename' : text} }`
}

function pageInfoFields(type: GraphQLObjectType, graphql: GraphQl): string[] {
  const info = graphql.getNamedType(type.getFields()['pageInfo']!.type)
  if (!graphql.isObjectType(info)) return []
  const usable = selectableFields(info, graphql)
  return Object.keys(PAGE_INFO_SCHEMAS).filter((name) =>
    usable.some((field) => field.name === name && isLeafField(field, graphql)),
  )
}

function listSchema(path: Connection['path'], item: Json): Record<string, Json> {
  return path === 'nodes'
    ? { nodes: { type: 'array', items: item } }
    : { edges: { type: 'array', items: { type: 'object', properties: { node: item } } } }
}
