import { createHash } from 'node:crypto'
import { createCache } from '../../../platform/cache.ts'
import type { Egress } from '../../../platform/egress/index.ts'
import { checkOpenIdProvider, type ProviderCheck } from '../../../platform/oauth/check-openid-provider.ts'
import {
  createOidcProvider,
  type OidcProvider,
  type OpenIdClientSettings,
} from '../../../platform/oauth/openid-provider.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAUTH_PATHS } from '../metadata.ts'
import { findProvider, type OpenIdProviderRow } from './store.ts'

/** Providers whose metadata stay in memory. */
const CACHED_MAX = 500

/** The provider of a project, as the pages use it. */
export interface ProjectProvider {
  /**
   * Differs for another issuer, another client of it or another claim: a response or a sign-in of one must not count
   * for the other.
   */
  key: string
  name: string
  userIdClaim: string
  client: OidcProvider
}

/**
 * The redirect URI at the provider of a project. Each project has its own: with a common one, the provider of one
 * project could receive codes of the provider of another (mix-up, RFC 9700 §4.4).
 */
export const providerRedirectUri = (publicUrl: string, projectId: string): string =>
  `${publicUrl}${OAUTH_PATHS.openIdCallback}/${projectId}`

export const providerKey = ({
  issuer,
  client_id: clientId,
  user_id_claim: claim,
}: Pick<OpenIdProviderRow, 'issuer' | 'client_id' | 'user_id_claim'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, clientId, claim]))
    .digest('base64url')

export const secretContext = (projectId: string): string => `mcp_openid_providers:${projectId}:client_secret`

/** The OpenID providers of projects. The row is read at each use; a changed one gets another client. */
export function createProjectProviders({
  db,
  egressOf,
  encryptor,
  clock,
}: Pick<McpAuthorizationDeps, 'db' | 'encryptor' | 'clock'> & {
  egressOf(projectId: string): Promise<Egress>
}) {
  const clients = createCache<string, OidcProvider>({ max: CACHED_MAX })
  const settingsOf = (row: Omit<OpenIdProviderRow, 'updated_at'>): OpenIdClientSettings => ({
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret:
      row.encrypted_client_secret === null
        ? undefined
        : encryptor.decrypt<string>(row.encrypted_client_secret, secretContext(row.project_id)),
    scopes: row.scopes,
    claims: row.user_id_claim === 'email' ? ['email', 'email_verified'] : [row.user_id_claim],
  })
  const newClient = async (row: Omit<OpenIdProviderRow, 'updated_at'>): Promise<OidcProvider> =>
    createOidcProvider(settingsOf(row), await egressOf(row.project_id), () => clock.now())
  return {
    newClient,
    /** Tests a provider without a person, and stores nothing. */
    test: async (row: Omit<OpenIdProviderRow, 'updated_at'>, redirectUri: string): Promise<ProviderCheck[]> =>
      checkOpenIdProvider(settingsOf(row), redirectUri, await egressOf(row.project_id)),
    async of(projectId: string): Promise<ProjectProvider | undefined> {
      const row = await findProvider(db, projectId)
      if (!row) return undefined
      const key = `${projectId} ${row.updated_at.toISOString()}`
      let client = clients.get(key)
      if (!client) clients.set(key, (client = await newClient(row)))
      return { key: providerKey(row), name: row.name, userIdClaim: row.user_id_claim, client }
    },
  }
}

export type ProjectProviders = ReturnType<typeof createProjectProviders>
