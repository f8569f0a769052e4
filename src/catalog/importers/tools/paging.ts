import type { ToolManifest } from '../../manifest/format/index.ts'
import { type Json, object } from '../json.ts'

export type Pagination = NonNullable<ToolManifest['pagination']>

const SIZES = [
  'per_page',
  'page_size',
  'pageSize',
  'perPage',
  'limit',
  'maxResults',
  'max_results',
  'count',
  'size',
  '$top',
  'top',
]
const CURSORS = [
  'cursor',
  'page_token',
  'pageToken',
  'next_token',
  'nextToken',
  'next_page_token',
  'start_cursor',
  'after',
  'page_cursor',
  'pageCursor',
  'continuation_token',
  'continuationToken',
  'next_cursor',
  'starting_after',
  'marker',
  'offset',
  'bookmark',
]
/** Where responses have the value for the next page. */
const NEXT = [
  'next_cursor',
  'nextCursor',
  'nextPageToken',
  'next_page_token',
  'next_token',
  'nextToken',
  'cursor',
  'offset',
  'after',
  'next_marker',
  'bookmark',
  'response_metadata.next_cursor',
  'meta.next_cursor',
  'meta.nextCursor',
  'meta.next_token',
  'paging.next.after',
  'paging.cursors.after',
  'pagination.next_cursor',
  'pagination.nextCursor',
  'pagination.cursor',
  'pagination.next_page_token',
  'page.next_cursor',
  'pages.next.starting_after',
  'cursors.after',
  'links.next_cursor',
  'pagination.after',
  'paging.next_cursor',
]
const PAGES = ['page', 'pageNumber', 'page_number', 'pageNo']
const OFFSETS = ['offset', 'skip', 'start', 'startAt', 'start_at', '$skip', 'startIndex']

/** A `Link` header (RFC 8288) that a document declares. */
export interface PageLink {
  /** The declaration says that the header leads to further pages. */
  readonly mentionsPages: boolean
  /** Names of the query parameters. */
  readonly parameters: readonly string[]
}

/**
 * Recognizes how a list is paged from the names of its arguments, the schema of its result and its `Link`
 * header. Undefined where they do not say it beyond doubt.
 */
export function recognizePaging(
  effect: ToolManifest['effect'],
  input: Json,
  output: Json,
  link?: PageLink,
): Pagination | undefined {
  if (effect !== 'read') return undefined
  const args = Object.keys(object(input['properties']))
  const items = listOf(output)
  if (items === undefined) return undefined
  const { size, page } = pageArguments(input)
  const sized = size === undefined ? {} : { size }
  const next = NEXT.find((path) => hasPath(output, path) && !isEcho(output, path))
  const cursor = CURSORS.find((name) => args.includes(name) && !isNumber(input, name))
  if (cursor !== undefined && next !== undefined)
    return { by: 'cursor', argument: cursor, next, items, ...sized }
  // A server may return smaller pages than requested; its link still leads to the next one.
  const linked = linkPaging(args, items, link)
  if (linked && link?.mentionsPages) return { ...linked, ...sized }
  if (page !== undefined && size !== undefined)
    return { by: 'page', argument: page, size, items, ...(startsAtZero(input, page) && { first: 0 }) }
  const offset = OFFSETS.find((name) => args.includes(name) && isNumber(input, name))
  if (offset !== undefined && size !== undefined) return { by: 'offset', argument: offset, size, items }
  return linked && { ...linked, ...sized }
}

/** The URL of the next page is in the `Link` header; its query has the value of one argument. */
function linkPaging(
  args: readonly string[],
  items: string,
  link: PageLink | undefined,
): Pagination | undefined {
  const argument = [...CURSORS, ...PAGES, ...OFFSETS].find(
    (name) => args.includes(name) && link?.parameters.includes(name),
  )
  return argument === undefined ? undefined : { by: 'link', argument, items }
}

/** The arguments with the number of a page, and of the items on it. */
export function pageArguments(input: Json): { size: string | undefined; page: string | undefined } {
  const args = Object.keys(object(input['properties']))
  return {
    // `$count` of Microsoft Graph is a switch: whether the response has the total.
    size: SIZES.find((name) => args.includes(name) && !isFlag(input, name)),
    page: PAGES.find((name) => args.includes(name) && isNumber(input, name)),
  }
}

/** A page of a GraphQL connection: https://relay.dev/graphql/connections.htm */
export function connectionPaging(
  effect: ToolManifest['effect'],
  input: Json,
  output: Json,
): Pagination | undefined {
  const items = ['nodes', 'edges'].find((name) => isList(object(output['properties'])[name]))
  const args = object(input['properties'])
  if (effect !== 'read' || items === undefined || !('after' in args)) return undefined
  if (!hasPath(output, 'pageInfo.endCursor') || !hasPath(output, 'pageInfo.hasNextPage')) return undefined
  return {
    by: 'cursor',
    argument: 'after',
    next: 'pageInfo.endCursor',
    more: 'pageInfo.hasNextPage',
    items,
    ...('first' in args && { size: 'first' }),
  }
}

/** Path of the only list of a result, on the first or second level. */
export function listOf(output: Json): string | undefined {
  const properties = object(output['properties'])
  const lists = Object.keys(properties).filter((name) => isList(properties[name]))
  if (lists.length === 1) return lists[0]
  if (lists.length > 1) return ['items', 'data', 'results', 'value'].find((name) => lists.includes(name))
  const inner = Object.entries(properties).flatMap(([name, value]) =>
    Object.entries(object(object(value)['properties']))
      .filter(([, member]) => isList(member))
      .map(([member]) => `${name}.${member}`),
  )
  return inner.length === 1 ? inner[0] : undefined
}

/** A response with a total repeats the `offset` of the request; as a cursor it would return the same page again. */
const isEcho = (output: Json, path: string): boolean =>
  path === 'offset' && ['total', 'total_count', 'totalCount'].some((name) => hasPath(output, name))

const typesOf = (schema: unknown): unknown[] => [object(schema)['type']].flat()
const isList = (schema: unknown): boolean => typesOf(schema).includes('array')
const isFlag = (input: Json, name: string): boolean =>
  typesOf(object(input['properties'])[name]).includes('boolean')
const isNumber = (input: Json, name: string): boolean => {
  const types = typesOf(object(input['properties'])[name])
  return types.includes('integer') || types.includes('number')
}

function startsAtZero(input: Json, name: string): boolean {
  const schema = object(object(input['properties'])[name])
  return schema['minimum'] === 0 || schema['default'] === 0
}

function hasPath(schema: Json, path: string): boolean {
  let current: unknown = schema
  for (const key of path.split('.')) {
    const properties = object(object(current)['properties'])
    if (!Object.hasOwn(properties, key)) return false
    current = properties[key]
  }
  return true
}
