import type { AuthSchemeManifest, ToolManifest } from '../../manifest/format/index.ts'
import { type Json, list, object } from '../json.ts'
import { listOf, pageArguments } from '../tools/paging.ts'

export type Validation = NonNullable<AuthSchemeManifest['validate']>

/** Paths at which APIs return the owner of the credentials. */
const CURRENT_USER =
  /^(\/(api|rest))?(\/v\d+(\.\d+)?)?\/(me|whoami|self|myself|viewer|user|account|profile|(user|users|auth|account|accounts)\/(me|self|current|user|whoami)|current[-_]?user)(\.json)?\/?$/i
/** Schemes whose credentials a user enters. The others are proven by their authorization flow. */
const ENTERED: readonly string[] = ['API_KEY', 'BEARER_TOKEN', 'BASIC']
/** A larger page is not asked for: some APIs have a smallest page, such as 10 items. */
const ITEMS_MAX = 100

/**
 * Finds a request that shows whether credentials are valid, and changes nothing: the read of their owner, else the
 * first item of a list. A valid key may lack the permission for a list, so the status 403 does not reject it. Of
 * several requests, the one with the shortest path is used.
 */
export function findValidation(tools: readonly ToolManifest[]): Validation | undefined {
  const reads = tools.filter(isReadWithoutArguments).sort(byPath)
  const owner = reads.find(({ request }) => CURRENT_USER.test(request!.path))
  if (owner) return { path: owner.request!.path }
  for (const tool of reads) {
    const query = queryOfFirstItem(tool)
    const headers = constants(tool.request!.headers)
    const hasHeaders = Object.keys(headers).length > 0
    if (query) return { path: tool.request!.path, query, ...(hasHeaders && { headers }), accepts_403: true }
  }
  return undefined
}

const isReadWithoutArguments = ({ effect, request, input, no_auth: isOpen }: ToolManifest): boolean =>
  effect === 'read' &&
  !isOpen &&
  request?.method === 'GET' &&
  !request.path.includes('{') &&
  list((input as Json)['required']).length === 0

function byPath({ request: one }: ToolManifest, { request: other }: ToolManifest): number {
  const [a, b] = [one!.path, other!.path]
  return a.length - b.length || (a < b ? -1 : 1)
}

/** Query parameters for the smallest page of a list; undefined for a tool that returns no list, or no page of it. */
function queryOfFirstItem({ input, output, request }: ToolManifest): Record<string, string> | undefined {
  const { size } = pageArguments(input as Json)
  if (size === undefined || listOf(object(output)) === undefined) return undefined
  const items = smallestPage(object(object((input as Json)['properties'])[size]))
  const parameter = Object.entries(object(request?.query)).find(([, value]) => object(value)['$'] === size)
  if (items === undefined || !parameter) return undefined
  return { ...constants(request?.query), [parameter[0]]: String(items) }
}

/** Parameters that do not depend on arguments, such as the version of an API. */
const constants = (parameters: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object(parameters)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/** The smallest number of items that a schema allows; undefined if that is a large page, or not known. */
function smallestPage(schema: Json): number | undefined {
  const { enum: choices, minimum, exclusiveMinimum } = schema
  const numbers = list(choices).map(Number)
  const smallest = Array.isArray(choices)
    ? Math.min(...numbers.filter((choice) => choice >= 1))
    : Math.max(1, Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1)
  return Number.isInteger(smallest) && smallest <= ITEMS_MAX ? smallest : undefined
}

/** Adds the request to the schemes whose credentials it can validate. */
export const withValidation = (
  schemes: readonly AuthSchemeManifest[],
  validation: Validation | undefined,
): AuthSchemeManifest[] =>
  schemes.map((one) =>
    validation === undefined || !ENTERED.includes(one.scheme) || one.validate
      ? one
      : { ...one, validate: validation },
  )

/** Describes the request in the report of an import. */
export function validationNote({ path, query, accepts_403: accepts }: Validation): string {
  const search = query ? `?${new URLSearchParams(query)}` : ''
  return (
    `New credentials are tried with GET ${path}${search}.` +
    (accepts ? ' The status 403 does not reject them: they may lack the permission for this list.' : '')
  )
}
