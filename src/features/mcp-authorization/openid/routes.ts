import * as contract from '../../../contract/mcp-authorization/index.ts'
import { EgressError } from '../../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { isIssuerUrl } from '../../../platform/oauth/issuer-url.ts'
import { createAttempt } from '../../../platform/oauth/openid-provider.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { providerKey, providerRedirectUri, secretContext } from './providers.ts'
import * as store from './store.ts'

const REASON_CHARACTERS_MAX = 200

/** Registers the operations with which a project sets its identity provider. */
export function openIdProviderRoutes(api: Api, deps: McpAuthorizationDeps): void {
  const { db, encryptor, publicUrl } = deps
  const present = async (projectId: string) => {
    const row = await store.findProvider(db, projectId)
    return {
      provider: row ? presentProvider(row) : null,
      redirect_uri: providerRedirectUri(publicUrl, projectId),
    }
  }

  api.on(contract.readMcpOpenIdProvider, ({ projectId }) => present(projectId))
  api.on(contract.setMcpOpenIdProvider, async ({ projectId, body }) => {
    const secret = body.client_secret ?? null
    const claim = body.user_id_claim ?? 'sub'
    const row = {
      project_id: projectId,
      issuer: body.issuer,
      client_id: body.client_id,
      encrypted_client_secret:
        secret === null
          ? null
          : (await encryptor.ofProject(projectId)).encrypt(secret, secretContext(projectId)),
      name: body.name ?? new URL(body.issuer).host,
      scopes: body.scopes ?? defaultScopes(claim),
      user_id_claim: claim,
    }
    await assertUsable(deps, row)
    await db.begin(async (tx) => {
      await store.upsertProvider(tx, row, body.client_secret === undefined)
      await store.endEarlierSignIns(tx, projectId, providerKey(row))
    })
    return present(projectId)
  })
  api.on(contract.deleteMcpOpenIdProvider, async ({ projectId }) => {
    await db.begin(async (tx) => {
      await store.deleteProvider(tx, projectId)
      await store.endEarlierSignIns(tx, projectId, null)
    })
    return { success: true }
  })
}

const presentProvider = (row: store.OpenIdProviderRow): contract.McpOpenIdProvider => ({
  issuer: row.issuer,
  client_id: row.client_id,
  has_client_secret: row.encrypted_client_secret !== null,
  name: row.name,
  scopes: row.scopes,
  user_id_claim: row.user_id_claim,
  updated_at: row.updated_at.toISOString(),
})

/** The scopes that deliver a standard claim (OpenID Connect Core §5.4). */
const defaultScopes = (claim: string): string =>
  claim === 'sub' ? 'openid' : claim === 'email' ? 'openid email' : 'openid profile email'

/** Reads the metadata of the issuer. @throws ApiError 400 */
async function assertUsable(
  { egress, providers, publicUrl }: McpAuthorizationDeps,
  row: Omit<store.OpenIdProviderRow, 'updated_at'>,
): Promise<void> {
  if (!isIssuerUrl(row.issuer))
    throw badRequest(
      'Error in payload.issuer: must be an https URL without query and fragment; http for localhost only',
    )
  try {
    egress.check(row.issuer)
    // The URL needs the metadata of the issuer, which are compared with it.
    const client = await providers.newClient({ ...row, encrypted_client_secret: null })
    await client.authorizationUrl(createAttempt(), providerRedirectUri(publicUrl, row.project_id))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, REASON_CHARACTERS_MAX) : 'unknown error'
    throw new ApiError(
      'Mcp_ProviderUnusable',
      error instanceof EgressError
        ? `The metadata of ${row.issuer} cannot be fetched: ${reason}`
        : `The metadata of ${row.issuer} cannot be used: ${reason}`,
    )
  }
}
