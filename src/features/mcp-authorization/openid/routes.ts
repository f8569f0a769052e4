import * as contract from '../../../contract/mcp-authorization/index.ts'
import { EgressError } from '../../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { defaultProviderName, isIssuerUrl } from '../../../platform/oauth/issuer-url.ts'
import { createAttempt } from '../../../platform/oauth/openid-provider.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { providerKey, providerRedirectUri, secretContext } from './providers.ts'
import * as store from './store.ts'

const REASON_CHARACTERS_MAX = 200

/** Registers the operations with which a project sets its identity provider. */
export function openIdProviderRoutes(api: Api, deps: McpAuthorizationDeps): void {
  const { db, providers, publicUrl } = deps
  const present = async (projectId: string) => {
    const row = await store.findProvider(db, projectId)
    return {
      provider: row ? presentProvider(row) : null,
      redirect_uri: providerRedirectUri(publicUrl, projectId),
    }
  }

  api.on(contract.readMcpOpenIdProvider, ({ projectId }) => present(projectId))
  api.on(contract.setMcpOpenIdProvider, async ({ projectId, body }) => {
    const row = await draftRow(deps, projectId, body)
    await assertUsable(deps, row)
    await db.begin(async (tx) => {
      await store.upsertProvider(tx, row, body.client_secret === undefined)
      await store.endEarlierSignIns(tx, projectId, providerKey(row))
    })
    return present(projectId)
  })
  api.on(contract.testMcpOpenIdProvider, async ({ projectId, body }) => {
    const row = await draftRow(deps, projectId, body)
    const stored = body.client_secret === undefined ? await store.findProvider(db, projectId) : undefined
    const isSameClient = stored?.issuer === row.issuer && stored.client_id === row.client_id
    const encrypted = isSameClient ? stored.encrypted_client_secret : row.encrypted_client_secret
    const checks = await providers.test(
      { ...row, encrypted_client_secret: encrypted },
      providerRedirectUri(publicUrl, projectId),
    )
    return { is_usable: checks.every(({ result }) => result !== 'failed'), checks }
  })
  api.on(contract.deleteMcpOpenIdProvider, async ({ projectId }) => {
    await db.begin(async (tx) => {
      await store.deleteProvider(tx, projectId)
      await store.endEarlierSignIns(tx, projectId, null)
    })
    return { success: true }
  })
}

/** Returns the row of a draft. Without a secret in the draft, it has none. */
async function draftRow(
  { encryptor }: McpAuthorizationDeps,
  projectId: string,
  draft: contract.McpOpenIdProviderDraft,
): Promise<Omit<store.OpenIdProviderRow, 'updated_at'>> {
  const secret = draft.client_secret ?? null
  const claim = draft.user_id_claim ?? 'sub'
  return {
    project_id: projectId,
    issuer: draft.issuer,
    client_id: draft.client_id,
    encrypted_client_secret:
      secret === null
        ? null
        : (await encryptor.ofProject(projectId)).encrypt(secret, secretContext(projectId)),
    name: draft.name ?? defaultProviderName(draft.issuer),
    scopes: draft.scopes ?? defaultScopes(claim),
    user_id_claim: claim,
  }
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
