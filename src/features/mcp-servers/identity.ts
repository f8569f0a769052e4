import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { DIALECT_NAMES, type DialectName } from '../../catalog/index.ts'

/** Who acts, as the address says; at least one user or account. */
export interface Identity {
  users: readonly string[]
  accounts: readonly string[]
}
export interface Asked {
  identity: Identity
  /** Offer the tool that connects accounts. */ helper: boolean
  dialect: DialectName | undefined
}

const MANY = 100
const LONG = 256

/** Reads the query of an address; `signedIn` acts where it names no user. @throws ApiError 400 when it names nobody, or what is no dialect */
export function askedFor(query: URLSearchParams, helperKeys: readonly string[], signedIn?: string): Asked {
  const named = listOf(query, ['user_id'])
  const users = named.length || signedIn === undefined ? named : [signedIn]
  const accounts = listOf(query, ['connected_account_id', 'connected_account_ids'])
  if (!users.length && !accounts.length)
    throw new ApiError('Mcp_IdentityRequired', 'The address names neither a user nor a connected account.')
  return {
    identity: { users, accounts },
    helper: helperKeys.some((key) => query.get(key) === 'true'),
    dialect: dialectIn(query),
  }
}

/** The vendor of models whose form of schemas an address asks for. @throws ApiError 400 for what is no dialect */
export function dialectIn(query: URLSearchParams): DialectName | undefined {
  const dialect = query.get('dialect') ?? undefined
  if (dialect !== undefined && !(DIALECT_NAMES as readonly string[]).includes(dialect))
    throw badRequest(`Error in query.dialect: must be one of ${DIALECT_NAMES.join(', ')}`)
  return dialect as DialectName | undefined
}

function listOf(query: URLSearchParams, names: readonly string[]): string[] {
  const found = [
    ...new Set(
      names
        .flatMap((name) => query.getAll(name))
        .flatMap((value) => value.split(','))
        .filter(Boolean),
    ),
  ]
  if (found.length > MANY || found.some((one) => one.length > LONG || one.includes('\0')))
    throw badRequest(
      `Error in query.${names[0]}: at most ${MANY} values of at most ${LONG} characters, without NUL`,
    )
  return found
}
