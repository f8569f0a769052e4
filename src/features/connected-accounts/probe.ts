import { GrantRefused, ProviderTrouble, type Values } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import { probeCredentials } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { setupOf } from './open.ts'

/** The application, or whoever issues its tokens, does not take these credentials: others are needed. */
export class CredentialsRefused extends ApiError {
  constructor(message: string, cause?: unknown) { super('ConnectedAccount_BadRequest', message, { cause }) }
}

/** Whose credentials are tried; the account may come to be only when they are good. */
export interface Tried { projectId: string, accountId: string, config: AuthConfigRow, val: Values }

/** One harmless request with the given credentials. @throws CredentialsRefused; ConnectedAccount_BadRequest when it cannot be asked */
export async function probe(deps: AccountDeps, toolkit: Toolkit, { projectId, accountId, config, val }: Tried): Promise<void> {
  const setup = setupOf(deps, config, () => val)
  const request = setup?.scheme.manifest.validate ?? toolkit.currentUser
  if (!setup || !request) throw new ApiError('ConnectedAccount_BadRequest', `${toolkit.name} has no request that could validate credentials; connect with validate_credentials false.`)
  try {
    await recorded(deps, { projectId, accountId, kind: 'probe', setup }, async (tools) => {
      const probed = await probeCredentials(tools, toolkit, setup, request)
      if (probed.ok) return
      if (probed.refused) throw new GrantRefused(`status_${probed.status}`, probed.message)
      throw new ProviderTrouble(probed.message)
    })
  } catch (error) {
    if (error instanceof GrantRefused) throw new CredentialsRefused(`${toolkit.name} refused the credentials: ${error.message}`, error)
    if (error instanceof ProviderTrouble) throw new ApiError('ConnectedAccount_BadRequest', `${toolkit.name} could not be asked about the credentials: ${error.message}`)
    throw error
  }
}
