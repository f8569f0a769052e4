import {
  type ConnectionContext,
  credentialLookup,
  signJwts,
  type Credentials,
} from '../../auth-schemes/index.ts'
import type { ToolConnection } from '../types.ts'
import { toCallerError } from './egress-request.ts'

/**
 * Makes the tokens that the manifest requires for each request, such as signed JWTs. Returns undefined when it
 * requires none. @throws ApiError when the connection lacks a usable key
 */
export function mintRequestTokens(connection: ToolConnection, now: number): Promise<Credentials> | undefined {
  if (connection.kind !== 'account' && connection.kind !== 'custom') return undefined
  const { context } = connection
  const tokens = context.scheme.manifest.apply?.mint
  return tokens && mint(tokens, context, now)
}

async function mint(
  tokens: Parameters<typeof signJwts>[0],
  context: ConnectionContext,
  now: number,
): Promise<Credentials> {
  try {
    return await signJwts(tokens, credentialLookup(context), now)
  } catch (error) {
    throw toCallerError(error)
  }
}
