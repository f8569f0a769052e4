import type { Catalog } from '../types/index.ts'

/** Returns the catalogue of a project; without a promise where it is in memory. */
export type CatalogOf = (projectId: string) => Catalog | Promise<Catalog>

/** Dependencies before the project is known: the catalogue of each project in place of one catalogue. */
export type ProjectScoped<Deps extends { readonly catalog: Catalog }> = Omit<Deps, 'catalog'> & {
  readonly catalogOf: CatalogOf
}

/**
 * Binds dependencies to one project. A call works with one catalogue, also when the project's toolkits
 * change.
 */
export async function bindToProject<Deps extends { readonly catalog: Catalog }>(
  deps: ProjectScoped<Deps>,
  projectId: string,
): Promise<Deps> {
  return { ...deps, catalog: await deps.catalogOf(projectId) } as unknown as Deps
}
