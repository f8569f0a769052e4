import { scopeList, type ConnectionContext } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import type { AuthConfigRow } from '../auth-configs/index.ts'

/** Scopes to ask for: the least that the config's chosen tools need replace those of the credentials; without either, the toolkit's defaults. */
export function scopesForTools(
  toolkit: Toolkit,
  config: Pick<AuthConfigRow, 'tools_for_connected_account_creation'>,
  setup: ConnectionContext,
): { scopes: string[]; userScopes: string[] } {
  const { manifest } = setup.scheme
  if (manifest.scheme !== 'OAUTH2' && manifest.scheme !== 'DCR_OAUTH') return { scopes: [], userScopes: [] }
  const { scopes: known } = manifest
  const minimal = minimalScopes(toolkit, config.tools_for_connected_account_creation)
  return {
    scopes: minimal.length ? minimal : scopeList(setup.credentials['scopes'], known?.default),
    userScopes: scopeList(setup.credentials['user_scopes'], known?.user_default),
  }
}

function minimalScopes(toolkit: Toolkit, slugs: readonly string[]): string[] {
  const requirements = toolkit.tools
    .filter(({ slug, aliases }) => [slug, ...aliases].some((name) => slugs.includes(name)))
    .flatMap(({ scopeRequirements }) => scopeRequirements?.all_of ?? [])
  const chosen = new Set(requirements.filter((scope) => typeof scope === 'string'))
  for (const scope of requirements) {
    if (typeof scope !== 'string' && !scope.any_of.some((one) => chosen.has(one)))
      chosen.add(scope.any_of[0] as string)
  }
  return [...chosen]
}
