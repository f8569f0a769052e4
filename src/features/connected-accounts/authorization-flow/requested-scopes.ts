import { scopeList, type ConnectionContext } from '../../../auth-schemes/index.ts'
import type { Toolkit } from '../../../catalog/index.ts'
import type { AuthConfigRow } from '../../auth-configs/index.ts'

/**
 * Returns the scopes to request: the fewest that the tools chosen in the auth config need; else those of its
 * credentials; else the defaults of the toolkit.
 */
export function scopesForTools(
  toolkit: Toolkit,
  config: Pick<AuthConfigRow, 'tools_for_connected_account_creation'>,
  connection: ConnectionContext,
): { scopes: string[]; userScopes: string[] } {
  const { manifest } = connection.scheme
  if (manifest.scheme !== 'OAUTH2' && manifest.scheme !== 'DCR_OAUTH') return { scopes: [], userScopes: [] }
  const { scopes: declared } = manifest
  const minimal = minimalScopes(toolkit, config.tools_for_connected_account_creation)
  return {
    scopes: minimal.length
      ? minimal
      : scopeList(connection.authConfigCredentials['scopes'], declared?.default),
    userScopes: scopeList(connection.authConfigCredentials['user_scopes'], declared?.user_default),
  }
}

function minimalScopes(toolkit: Toolkit, slugs: readonly string[]): string[] {
  const requirements = toolkit.tools
    .filter(({ slug, aliases }) => [slug, ...aliases].some((name) => slugs.includes(name)))
    .flatMap(({ scopeRequirements }) => scopeRequirements?.all_of ?? [])
  const scopes = new Set(requirements.filter((scope) => typeof scope === 'string'))
  for (const scope of requirements) {
    if (typeof scope !== 'string' && !scope.any_of.some((one) => scopes.has(one)))
      scopes.add(scope.any_of[0] as string)
  }
  return [...scopes]
}
