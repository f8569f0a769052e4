import { compiledSchemeOf } from '../../catalog/index.ts'
import type { listExchanges } from '../../contract/connected-accounts.ts'
import type { ReplyOf } from '../../contract/route.ts'
import type { AccountDeps } from './deps.ts'
import { diagnose } from './diagnosis.ts'
import { list } from './exchange-store.ts'
import { openIdentity } from './identity.ts'
import { shownIdentity } from './present.ts'
import type { AccountRow } from './store.ts'

/** An account, its last exchanges with the provider (newest first) and what they point to. */
export async function doctorView(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
): Promise<ReplyOf<typeof listExchanges>> {
  await deps.exchanges.settled()
  const exchanges = await list(deps.db, projectId, row.id)
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  return {
    account: {
      id: row.id,
      status: row.status,
      status_reason: row.status_reason,
      toolkit: { slug: row.toolkit_slug },
      user_id: row.user_id,
      auth_config: { id: row.auth_config_id, auth_scheme: row.auth_scheme },
      identity: shownIdentity(openIdentity(deps.encryptor, row)),
      token_expires_at: row.token_expires_at?.toISOString() ?? null,
    },
    items: exchanges.map(({ at, request, answer, ...rest }) => ({
      ...rest,
      at: at.toISOString(),
      request: request as Record<string, unknown> | null,
      answer: answer as Record<string, unknown>,
    })),
    findings: diagnose(exchanges, toolkit && compiledSchemeOf(toolkit, row.auth_scheme)?.manifest),
  }
}
