import type { CatalogOf } from '../../catalog/index.ts'

export interface ManagedAuthConfigDeps {
  catalogOf: CatalogOf
  /** The schemes for which the administrator configured credentials. */
  managedSchemes(toolkit: string): readonly string[]
  /** Creates an auth config with these credentials and returns its id. */
  createManagedAuthConfig(projectId: string, keyId: string, toolkit: string): Promise<string>
}

/**
 * Creates an auth config with the administrator's credentials. Returns undefined for a custom toolkit of the project,
 * and for a toolkit without such credentials.
 */
export async function createManagedConfig(
  { catalogOf, managedSchemes, createManagedAuthConfig }: ManagedAuthConfigDeps,
  projectId: string,
  keyId: string,
  toolkit: string,
): Promise<string | undefined> {
  const isCustom = (await catalogOf(projectId)).toolkit(toolkit)?.origin === 'project'
  if (isCustom || managedSchemes(toolkit).length === 0) return undefined
  return createManagedAuthConfig(projectId, keyId, toolkit)
}
