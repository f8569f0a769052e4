import { SCHEMA_FORMAT_NAMES, type SchemaFormatName } from '../../../catalog/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'

/** The users and accounts in the URL. There is at least one user or one account. */
export interface McpIdentity {
  users: readonly string[]
  accounts: readonly string[]
}
export interface EndpointParameters {
  identity: McpIdentity
  /** Adds the tool that connects accounts. */
  hasConnectionTool: boolean
  schemaFormat: SchemaFormatName | undefined
}

const VALUES_MAX = 100
const VALUE_CHARACTERS_MAX = 256

/**
 * Reads the query of an MCP URL.
 * @param signedInUserId the user of a URL without `user_id`
 * @throws ApiError 400 for a URL without user and account, and for an unknown schema format
 */
export function readEndpointParameters(
  query: URLSearchParams,
  connectionToolParameters: readonly string[],
  signedInUserId?: string,
): EndpointParameters {
  const namedUsers = readList(query, ['user_id'])
  const users = namedUsers.length || signedInUserId === undefined ? namedUsers : [signedInUserId]
  const accounts = readList(query, ['connected_account_id', 'connected_account_ids'])
  if (!users.length && !accounts.length)
    throw new ApiError(
      'Mcp_IdentityRequired',
      'The URL needs a user_id or connected_account_id query parameter.',
    )
  return {
    identity: { users, accounts },
    hasConnectionTool: connectionToolParameters.some((name) => query.get(name) === 'true'),
    schemaFormat: readSchemaFormat(query),
  }
}

/** Reads the schema format (`dialect`) of a URL. @throws ApiError 400 for an unknown one */
export function readSchemaFormat(query: URLSearchParams): SchemaFormatName | undefined {
  const format = query.get('dialect') ?? undefined
  if (format !== undefined && !(SCHEMA_FORMAT_NAMES as readonly string[]).includes(format))
    throw badRequest(`Error in query.dialect: must be one of ${SCHEMA_FORMAT_NAMES.join(', ')}`)
  return format as SchemaFormatName | undefined
}

function readList(query: URLSearchParams, names: readonly string[]): string[] {
  const values = new Set(
    names
      .flatMap((name) => query.getAll(name))
      .flatMap((value) => value.split(','))
      .filter(Boolean),
  )
  const isInvalid = (value: string) => value.length > VALUE_CHARACTERS_MAX || value.includes('\0')
  if (values.size > VALUES_MAX || [...values].some(isInvalid))
    throw badRequest(
      `Error in query.${names[0]}: at most ${VALUES_MAX} values of at most ${VALUE_CHARACTERS_MAX} ` +
        'characters, without NUL',
    )
  return [...values]
}
