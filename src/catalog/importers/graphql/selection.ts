import type {
  GraphQLAbstractType,
  GraphQLField,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql'
import type { Json } from '../json.ts'
import type { GraphQl } from './read.ts'
import { scalarSchema } from './scalars.ts'

/**
 * What is asked for of a value, and the JSON Schema of what comes: the text is empty for a value without
 * members.
 */
export interface Selection {
  readonly text: string
  readonly schema: Json
}

/** Plain members of the object itself, of those in it, and of those in these; and in all. */
const LEAVES_MAX = [40, 8, 5] as const
const FIELDS_MAX = 120
const NESTED_MAX = 12
const KINDS_MAX = 8
/** Of a list within an object, so many. */
const NESTED_PAGE = 10
/** What tells one object from another comes first. */
const FIRST = [
  'id',
  'databaseId',
  'identifier',
  'key',
  'number',
  'handle',
  'slug',
  'name',
  'title',
  'displayName',
  'fullName',
  'login',
  'username',
  'email',
  'url',
  'state',
  'status',
  'type',
  'code',
  'message',
  'field',
  'value',
  'amount',
  'currencyCode',
  'success',
]

type Composite = GraphQLObjectType | GraphQLAbstractType
type Field = GraphQLField<unknown, unknown>
interface Way {
  readonly level: number
  readonly inList: boolean
  readonly types: readonly string[]
  readonly brief?: boolean
}
interface Chosen {
  text: string
  properties: Record<string, Json>
}

/**
 * Chooses what a person would: ids and names first, then the other plain values, then objects within to a
 * depth of two. Of a connection its nodes and whether there is more; of one of several kinds each kind with
 * its own. Fields that need an argument, and deprecated ones, are left out.
 */
export function selector(schema: GraphQLSchema, graphql: GraphQl) {
  const {
    getNamedType,
    isAbstractType,
    isCompositeType,
    isInterfaceType,
    isLeafType,
    isListType,
    isNonNullType,
  } = graphql
  let left = 0

  // Two underscores are the language's own (GraphQL, "Names"); no schema may have them, and `__proto__` is
  // one.
  const fieldsOf = (type: GraphQLObjectType | GraphQLInterfaceType) =>
    Object.values(type.getFields()).filter(
      (field) =>
        !field.name.startsWith('__') &&
        field.name !== 'clientMutationId' &&
        field.deprecationReason == null &&
        !field.args.some(graphql.isRequiredArgument),
    )
  const hasList = (type: GraphQLOutputType): boolean =>
    isNonNullType(type) ? hasList(type.ofType) : isListType(type)
  const isLeaf = (field: Field) => isLeafType(getNamedType(field.type))

  /**
   * The type of the nodes, if this is a page of a list (the cursor connections of Relay, or a plain variant
   * of them).
   */
  function nodesOf(
    type: GraphQLNamedType,
  ): { path: 'nodes' | 'edges'; node: Composite | undefined } | undefined {
    if (!graphql.isObjectType(type)) return undefined
    const usable = fieldsOf(type)
    const [nodes, edges, pageInfo] = ['nodes', 'edges', 'pageInfo'].map((name) =>
      usable.find((field) => field.name === name),
    )
    if (!pageInfo || !isCompositeType(getNamedType(pageInfo.type))) return undefined
    const edge = edges && getNamedType(edges.type)
    const listed =
      nodes && hasList(nodes.type)
        ? nodes
        : graphql.isObjectType(edge)
          ? fieldsOf(edge).find(({ name }) => name === 'node')
          : undefined
    if (!listed) return undefined
    const node = getNamedType(listed.type)
    return { path: listed === nodes ? 'nodes' : 'edges', node: isCompositeType(node) ? node : undefined }
  }

  function composite(type: Composite, way: Way): Chosen {
    // A page of pages of its own kind would have no end.
    const page = way.types.includes(type.name) ? undefined : nodesOf(type)
    if (page) return connection(type as GraphQLObjectType, page, way)
    return isAbstractType(type)
      ? kinds(type, way)
      : members(fieldsOf(type), { ...way, types: [...way.types, type.name] })
  }

  function connection(
    type: GraphQLObjectType,
    { path, node }: NonNullable<ReturnType<typeof nodesOf>>,
    way: Way,
  ): Chosen {
    const inner = node
      ? composite(node, { ...way, inList: true, types: [...way.types, type.name] })
      : undefined
    const nodes = inner && filled(inner)
    const item: Json = inner ? { type: 'object', properties: inner.properties } : {}
    const list: Record<string, Json> =
      path === 'nodes'
        ? { nodes: { type: 'array', items: item } }
        : { edges: { type: 'array', items: { type: 'object', properties: { node: item } } } }
    const counts = way.brief
      ? []
      : fieldsOf(type)
          .filter((field) => isLeaf(field) && !hasList(field.type))
          .slice(0, 3)
    const info = getNamedType(type.getFields()['pageInfo']!.type)
    const more = graphql.isObjectType(info)
      ? ['hasNextPage', 'endCursor'].filter((name) =>
          fieldsOf(info).some((field) => field.name === name && isLeaf(field)),
        )
      : []
    const texts = [
      path === 'nodes'
        ? `nodes${nodes === undefined ? '' : ` ${nodes}`}`
        : `edges { node${nodes === undefined ? '' : ` ${nodes}`} }`,
      more.length > 0 ? `pageInfo { ${more.join(' ')} }` : '',
      ...counts.map((field) => field.name),
    ]
    const pageInfoSchemas = {
      hasNextPage: { type: 'boolean', description: 'Whether there is a next page.' },
      endCursor: { type: ['string', 'null'], description: 'Pass it as `after` to get the next page.' },
    }
    return {
      text: texts.filter(Boolean).join(' '),
      properties: {
        ...list,
        ...(more.length > 0 && {
          pageInfo: {
            type: 'object',
            properties: Object.fromEntries(
              Object.entries(pageInfoSchemas).filter(([name]) => more.includes(name)),
            ),
          },
        }),
        ...Object.fromEntries(counts.map((field) => [field.name, valueSchema(field.type)])),
      },
    }
  }

  /**
   * An interface or a union. A name that has one type here and another there would make the document invalid,
   * so the later kinds have it under another.
   */
  function kinds(type: GraphQLAbstractType, way: Way): Chosen {
    const common = isInterfaceType(type) ? fieldsOf(type) : []
    const possible = schema.getPossibleTypes(type).slice(0, KINDS_MAX)
    const owners = new Map<string, string>()
    for (const one of [...(isInterfaceType(type) ? [type] : []), ...possible])
      for (const field of Object.values(one.getFields()))
        if (!owners.has(field.name)) owners.set(field.name, String(field.type))
    const inner: Way = { ...way, level: Math.min(way.level + 1, 2), types: [...way.types, type.name] }
    const all = members(common, inner)
    const properties: Record<string, Json> = {
      __typename: { type: 'string', description: 'Which kind it is.' },
      ...all.properties,
    }
    const texts = ['__typename', all.text]
    for (const one of possible) {
      const own = fieldsOf(one).filter(
        (field) =>
          !common.some(({ name }) => name === field.name) &&
          !(isInterfaceType(type) && type.getFields()[field.name]),
      )
      const alias = (field: Field) =>
        owners.get(field.name) === String(field.type)
          ? undefined
          : `${one.name[0]!.toLowerCase()}${one.name.slice(1)}_${field.name}`
      const chosen = members(own, { ...inner, types: [...inner.types, one.name] }, alias)
      if (chosen.text === '') continue
      texts.push(`... on ${one.name} ${filled(chosen)}`)
      for (const [name, value] of Object.entries(chosen.properties)) properties[name] ??= value
    }
    return { text: texts.filter(Boolean).join(' '), properties }
  }

  function members(
    fields: readonly Field[],
    way: Way,
    alias: (field: Field) => string | undefined = () => undefined,
  ): Chosen {
    const texts: string[] = []
    const properties: Record<string, Json> = {}
    const take = (field: Field, inner: string, value: Json) => {
      const other = alias(field)
      properties[other ?? field.name] = value
      texts.push(`${other === undefined ? '' : `${other}: `}${field.name}${inner}`)
    }
    for (const field of fields
      .filter(isLeaf)
      .sort(byUse)
      .slice(0, way.brief ? 4 : LEAVES_MAX[way.level])) {
      if (left <= 0) break
      left--
      take(field, '', valueSchema(field.type))
    }
    if (way.brief || way.level >= 2) return { text: texts.join(' '), properties }
    for (const field of fields
      .filter((one) => !isLeaf(one))
      .slice(0, way.level === 0 ? fields.length : NESTED_MAX)) {
      const type = getNamedType(field.type) as Composite
      const pages = nodesOf(type) !== undefined
      const paged = field.args.find(
        ({ name, type: argumentType }) => name === 'first' && String(argumentType) === 'Int',
      )
      // Nested lists multiply, and servers reject or charge for them.
      if (left <= 0 || ((pages || paged) && (way.inList || way.level > 0))) continue
      const again = way.types.includes(type.name)
      const chosen = composite(type, {
        level: way.level + 1,
        inList: way.inList || hasList(field.type),
        types: way.types,
        ...((pages || again) && { brief: true }),
      })
      if (chosen.text !== '')
        take(
          field,
          `${paged ? `(first: ${NESTED_PAGE})` : ''} ${filled(chosen)}`,
          wrapped(field.type, { type: 'object', properties: chosen.properties }),
        )
    }
    return { text: texts.join(' '), properties }
  }

  const filled = ({ text }: Chosen) => `{ ${text === '' ? '__typename' : text} }`

  function valueSchema(type: GraphQLOutputType): Json {
    const namedType = getNamedType(type)
    return wrapped(
      type,
      graphql.isEnumType(namedType)
        ? { type: 'string', enum: namedType.getValues().map((one) => one.name) }
        : scalarSchema(namedType.name, undefined),
    )
  }

  /** Lists around it, and null where the schema allows it. */
  function wrapped(type: GraphQLOutputType, inner: Json): Json {
    if (isNonNullType(type)) return bare(type.ofType, inner)
    const written = bare(type, inner)
    return Object.keys(written).length === 0 ? written : { ...written, nullable: true }
  }
  const bare = (type: GraphQLOutputType, inner: Json): Json =>
    isListType(type) ? { type: 'array', items: wrapped(type.ofType as GraphQLOutputType, inner) } : inner

  return (type: GraphQLOutputType): Selection & { paged: boolean } => {
    const namedType = getNamedType(type)
    if (!isCompositeType(namedType)) return { text: '', schema: valueSchema(type), paged: false }
    left = FIELDS_MAX
    const chosen = composite(namedType, { level: 0, inList: hasList(type), types: [] })
    return {
      text: filled(chosen),
      schema: wrapped(type, { type: 'object', properties: chosen.properties }),
      paged: nodesOf(namedType) !== undefined,
    }
  }
}

const rank = ({ name }: Field) => {
  const at = FIRST.indexOf(name)
  return at < 0 ? FIRST.length : at
}
const byUse = (a: Field, b: Field) => rank(a) - rank(b)
