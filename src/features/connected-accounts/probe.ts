import type { Values } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import { probeCredentials } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { setupOf } from './open.ts'

/** One harmless request with the given credentials. @throws ConnectedAccount_BadRequest when the application refuses them */
export async function probe(deps: AccountDeps, toolkit: Toolkit, config: AuthConfigRow, val: Values): Promise<void> {
  const setup = setupOf(deps, config, () => val)
  const request = setup?.scheme.manifest.validate ?? toolkit.currentUser
  if (!setup || !request) throw new ApiError('ConnectedAccount_BadRequest', `${toolkit.name} has no request that could validate credentials; connect with validate_credentials false.`)
  const probed = await probeCredentials(deps.egress, toolkit, setup, request, deps.clock.now())
  if (probed.ok) return
  throw new ApiError('ConnectedAccount_BadRequest', `${toolkit.name} ${probed.refused ? 'refused the credentials' : 'could not be asked about the credentials'}: ${probed.message}`)
}
