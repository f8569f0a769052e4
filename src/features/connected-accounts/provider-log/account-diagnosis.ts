import { findCompiledScheme } from '../../../catalog/index.ts'
import type * as contract from '../../../contract/connected-accounts/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import type { AccountDeps } from '../deps.ts'
import { decryptIdentity } from '../identity/identity.ts'
import { presentIdentity } from '../present.ts'
import type { AccountRow } from '../store.ts'
import { diagnose } from './diagnosis.ts'
import { listProviderRequests } from './request-store.ts'

/** Presents an account with its last requests to the provider (newest first) and their diagnosis. */
export async function accountDiagnosis(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
): Promise<ReplyOf<typeof contract.listProviderRequests>> {
  await deps.providerRequests.flush()
  const requests = await listProviderRequests(deps.db, projectId, row.id)
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  return {
    account: {
      id: row.id,
      status: row.status,
      status_reason: row.status_reason,
      toolkit: { slug: row.toolkit_slug },
      user_id: row.user_id,
      auth_config: { id: row.auth_config_id, auth_scheme: row.auth_scheme },
      identity: presentIdentity(decryptIdentity(deps.encryptor, row)),
      token_expires_at: row.token_expires_at?.toISOString() ?? null,
    },
    items: requests.map(({ at, request, response, ...rest }) => ({
      ...rest,
      at: at.toISOString(),
      request: request as Record<string, unknown> | null,
      answer: response as Record<string, unknown>,
    })),
    findings: diagnose(requests, toolkit && findCompiledScheme(toolkit, row.auth_scheme)?.manifest),
  }
}
