import type { Catalog } from '../types/index.ts'

/** The catalogue that a project sees. Answers at once when it is known. */
export type CatalogOf = (projectId: string) => Catalog | Promise<Catalog>

/** What a feature needs, before it is known for which project: the catalogue of each in place of one. */
export type ProjectScoped<Deps extends { readonly catalog: Catalog }> = Omit<Deps, 'catalog'> & {
  readonly catalogOf: CatalogOf
}

/** The same for one project: one call works with one catalogue, whatever changes meanwhile. */
export async function bindToProject<Deps extends { readonly catalog: Catalog }>(
  shared: ProjectScoped<Deps>,
  projectId: string,
): Promise<Deps> {
  return { ...shared, catalog: await shared.catalogOf(projectId) } as unknown as Deps
}
