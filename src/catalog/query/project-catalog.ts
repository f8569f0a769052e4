import type { Egress } from '../../platform/egress/index.ts'
import type { Catalog } from '../types/index.ts'

/** Returns the catalogue of a project; without a promise where it is in memory. */
export type CatalogOf = (projectId: string) => Catalog | Promise<Catalog>

/** Returns how a project reaches applications; a demo project reaches simulations only. */
export type EgressOf = (projectId: string) => Promise<Egress>

interface BoundDeps {
  readonly catalog: Catalog
  readonly egress: Egress
}

/** Dependencies before the project is known: catalogue and egress of each project in place of one of them. */
export type ProjectScoped<Deps extends BoundDeps> = Omit<Deps, 'catalog' | 'egress'> & {
  readonly catalogOf: CatalogOf
  readonly egressOf: EgressOf
}

/**
 * Binds dependencies to one project. A call works with one catalogue, also when the project's toolkits
 * change.
 */
export async function bindToProject<Deps extends BoundDeps>(
  deps: ProjectScoped<Deps>,
  projectId: string,
): Promise<Deps> {
  const [catalog, egress] = await Promise.all([deps.catalogOf(projectId), deps.egressOf(projectId)])
  return { ...deps, catalog, egress } as unknown as Deps
}
