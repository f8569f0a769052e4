import {
  GrantRejected,
  ProviderUnavailable,
  type ConnectionContext,
  type Credentials,
} from '../../../auth-schemes/index.ts'
import type { ProbeRequestManifest, Toolkit } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'
import { createConnectionContext } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { type Identity, readIdentity } from './identity.ts'
import { probeAccount, ProbeRejected } from './probe-request.ts'

/** The application, or the provider that issues its tokens, rejects the credentials: others are needed. */
export class CredentialsRejected extends ApiError {
  constructor(message: string, cause?: unknown) {
    super('ConnectedAccount_BadRequest', message, { cause })
  }

  /** Whether the application says that the credentials are wrong, and not only that the request is. */
  get isAuthentication(): boolean {
    return this.cause instanceof ProbeRejected && this.cause.isAuthentication
  }
}

/** The request that validates credentials; undefined if the toolkit has none. */
export const probeRequestOf = (
  toolkit: Toolkit,
  connection: ConnectionContext,
): ProbeRequestManifest | undefined => connection.scheme.manifest.validate ?? toolkit.identity

/**
 * Validates credentials with one request that changes nothing. Returns the identity if that request reads it.
 * @throws CredentialsRejected; ConnectedAccount_BadRequest if the request cannot be sent
 */
export async function probe(
  deps: AccountDeps,
  {
    projectId,
    accountId,
    toolkit,
    config,
    credentials,
    timeoutMs,
  }: {
    projectId: string
    accountId: string
    toolkit: Toolkit
    config: AuthConfigRow
    credentials: Credentials
    timeoutMs?: number
  },
): Promise<Identity | undefined> {
  const connection = createConnectionContext(deps, config, () => credentials)
  const request = connection && probeRequestOf(toolkit, connection)
  if (!connection || !request)
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `${toolkit.name} has no request that validates credentials; set validate_credentials to false.`,
    )
  const subject = { projectId, accountId, toolkit, connection }
  const body = await probeAccount(deps, subject, request, timeoutMs).catch((error: unknown) => {
    if (request.accepts_403 && error instanceof ProbeRejected && error.code === 'status_403') return undefined
    throw toProbeError(toolkit, error)
  })
  return request === toolkit.identity ? readIdentity(toolkit.identity, body, connection) : undefined
}

function toProbeError({ name }: Toolkit, error: unknown): unknown {
  if (error instanceof GrantRejected)
    return new CredentialsRejected(`${name} rejected the credentials: ${error.message}`, error)
  if (error instanceof ProviderUnavailable)
    return new ApiError(
      'ConnectedAccount_BadRequest',
      `${name} did not validate the credentials: ${error.message}`,
      { cause: error },
    )
  return error
}
