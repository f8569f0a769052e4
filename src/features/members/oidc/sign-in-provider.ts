import type { Encryptor } from '../../../platform/crypto/index.ts'
import { createCache } from '../../../platform/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import {
  createOidcProvider,
  type OidcProvider,
  type OpenIdClientSettings,
} from '../../../platform/oauth/openid-provider.ts'
import { findOrganizationId } from '../../projects/index.ts'
import { findProvider, type ProviderRow } from './provider-store.ts'
import type { OidcSettings } from './settings.ts'

/** Clients whose metadata stay in memory: the current one, and one that was just replaced. */
const CACHED_MAX = 2

export interface SignInProviderDeps {
  db: Db
  clock: Clock
  encryptor: Pick<Encryptor, 'encryptWithRing' | 'decrypt'>
  egress: Egress
  /** The provider in the settings of the server, which has priority. */
  settings: OidcSettings | undefined
}

/** The provider at which members sign in now. */
export interface CurrentProvider {
  settings: OidcSettings
  client: OidcProvider
  /** Null for the provider in the settings of the server. */
  revision: string | null
}

/** Reads the provider at each use: another process may have changed it. */
export interface SignInProvider {
  /** Returns the provider, or undefined without one. */
  current(): Promise<CurrentProvider | undefined>
  /** Whether members sign in at the provider only. */
  isOnly(): Promise<boolean>
}

export const secretContext = (organizationId: string): string =>
  `organization_openid_providers:${organizationId}:client_secret`

export function createSignInProvider(deps: SignInProviderDeps): SignInProvider {
  const { db, clock, encryptor, egress, settings } = deps
  const clients = createCache<string, OidcProvider>({ max: CACHED_MAX })

  function clientOf(key: string, of: OidcSettings): OidcProvider {
    const cached = clients.get(key)
    if (cached) return cached
    const client = createOidcProvider(clientSettings(of), egress, () => clock.now())
    clients.set(key, client)
    return client
  }

  async function readRow(): Promise<ProviderRow | undefined> {
    const organizationId = await findOrganizationId(db)
    return organizationId === undefined ? undefined : findProvider(db, organizationId)
  }

  return {
    async current() {
      if (settings) return { settings, client: clientOf('', settings), revision: null }
      const row = await readRow()
      if (!row) return undefined
      const stored = settingsOf(row, encryptor)
      return { settings: stored, client: clientOf(row.revision, stored), revision: row.revision }
    },
    isOnly: async () => (settings ? settings.isOnly : ((await readRow())?.is_only ?? false)),
  }
}

/** The roles of members come from a claim that some providers send at their UserInfo endpoint only. */
export const clientSettings = ({
  issuer,
  clientId,
  clientSecret,
  scopes,
  roleClaim,
  roleMap,
}: OidcSettings): OpenIdClientSettings => ({
  issuer,
  clientId,
  clientSecret,
  scopes,
  claims: ['email', ...(Object.keys(roleMap).length > 0 ? [roleClaim] : [])],
})

export const settingsOf = (row: ProviderRow, encryptor: Pick<Encryptor, 'decrypt'>): OidcSettings => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret:
    row.encrypted_client_secret === null
      ? undefined
      : encryptor.decrypt<string>(row.encrypted_client_secret, secretContext(row.organization_id)),
  name: row.name,
  scopes: row.scopes,
  allowedDomains: row.allowed_domains,
  trustsEmail: row.trusts_email,
  roleClaim: row.role_claim,
  roleMap: row.role_map,
  defaultRole: row.default_role ?? undefined,
  isOnly: row.is_only,
})
