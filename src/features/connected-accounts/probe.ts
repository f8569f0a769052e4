import {
  GrantRejected,
  ProviderTrouble,
  type ConnectionContext,
  type Values,
} from '../../auth-schemes/index.ts'
import type { AskManifest, Toolkit } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import { ask } from './ask.ts'
import type { AccountDeps } from './deps.ts'
import { type Identity, identityIn } from './identity.ts'
import { setupOf } from './open.ts'

/** The application, or whoever issues its tokens, does not take these credentials: others are needed. */
export class CredentialsRefused extends ApiError {
  constructor(message: string, cause?: unknown) {
    super('ConnectedAccount_BadRequest', message, { cause })
  }
}

/** The request that proves the credentials of a connection, if there is one. */
export const proofOf = (toolkit: Toolkit, setup: ConnectionContext): AskManifest | undefined =>
  setup.scheme.manifest.validate ?? toolkit.identity

/** One harmless request with the given credentials; answers whose they are when that was what it asked. @throws CredentialsRefused; ConnectedAccount_BadRequest when it cannot be asked */
export async function probe(
  deps: AccountDeps,
  {
    projectId,
    accountId,
    toolkit,
    config,
    val,
  }: {
    projectId: string
    accountId: string
    toolkit: Toolkit
    config: AuthConfigRow
    val: Values
  },
): Promise<Identity | undefined> {
  const setup = setupOf(deps, config, () => val)
  const request = setup && proofOf(toolkit, setup)
  if (!setup || !request)
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `${toolkit.name} has no request that could validate credentials; connect with validate_credentials false.`,
    )
  const reply = await ask(deps, { projectId, accountId, toolkit, setup }, request).catch((error: unknown) => {
    throw refusal(toolkit, error)
  })
  return request === toolkit.identity ? identityIn(toolkit.identity, reply, setup) : undefined
}

function refusal({ name }: Toolkit, error: unknown): unknown {
  if (error instanceof GrantRejected)
    return new CredentialsRefused(`${name} refused the credentials: ${error.message}`, error)
  if (error instanceof ProviderTrouble)
    return new ApiError(
      'ConnectedAccount_BadRequest',
      `${name} could not be asked about the credentials: ${error.message}`,
      { cause: error },
    )
  return error
}
