import * as contract from '../../../contract/sso.ts'
import type { Api } from '../../../platform/http/call.ts'
import { memberIdOf } from '../principal.ts'
import type { Changer } from '../service.ts'
import { findProvider, type ProviderRow } from './provider-store.ts'
import type { OidcSettings } from './settings.ts'
import { type SsoDeps, ssoService } from './sso-service.ts'

/** Operations on the identity provider of the organization, for owners and keys of the organization. */
export function ssoRoutes(api: Api, deps: SsoDeps): void {
  const service = ssoService(deps)
  const changerOf = ({ organizationId, keyId }: { organizationId: string; keyId: string }): Changer => ({
    organizationId,
    memberId: memberIdOf(keyId),
  })
  const present = async (changer: Changer): Promise<contract.Sso> => {
    const { settings, redirectUri: redirect_uri } = deps
    if (settings)
      return {
        source: 'server_settings',
        provider: presentSettings(settings),
        redirect_uri,
        is_proven: false,
      }
    const row = await findProvider(deps.db, changer.organizationId)
    return {
      source: row ? 'organization' : 'none',
      provider: row ? presentRow(row) : null,
      redirect_uri,
      is_proven: await service.isProven(changer),
    }
  }
  api.on(contract.readSso, async (call) => present(changerOf(call)))
  api.on(contract.setSso, async (call) => {
    await service.set(changerOf(call), call.body)
    return present(changerOf(call))
  })
  api.on(contract.testSso, (call) => service.test(changerOf(call), call.body))
  api.on(contract.setSsoOnly, async (call) => {
    await service.setOnly(changerOf(call), call.body.is_only)
    return present(changerOf(call))
  })
  api.on(contract.deleteSso, async (call) => {
    await service.remove(changerOf(call))
    return { success: true }
  })
}

const presentRow = (row: ProviderRow): contract.SsoProvider => ({
  issuer: row.issuer,
  client_id: row.client_id,
  has_client_secret: row.encrypted_client_secret !== null,
  name: row.name,
  scopes: row.scopes,
  allowed_domains: row.allowed_domains,
  trusts_email: row.trusts_email,
  role_claim: row.role_claim,
  role_map: row.role_map,
  default_role: row.default_role,
  is_only: row.is_only,
  updated_at: row.updated_at.toISOString(),
})

const presentSettings = (settings: OidcSettings): contract.SsoProvider => ({
  issuer: settings.issuer,
  client_id: settings.clientId,
  has_client_secret: settings.clientSecret !== undefined,
  name: settings.name,
  scopes: settings.scopes,
  allowed_domains: [...settings.allowedDomains],
  trusts_email: settings.trustsEmail,
  role_claim: settings.roleClaim,
  role_map: settings.roleMap,
  default_role: settings.defaultRole ?? null,
  is_only: settings.isOnly,
  updated_at: null,
})
