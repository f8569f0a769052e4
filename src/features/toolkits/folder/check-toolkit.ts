import {
  type Catalog,
  folderReader,
  LATEST_VERSION,
  loadCatalog,
  ManifestError,
  type ToolkitReleases,
} from '../../../catalog/index.ts'

export interface CheckContext {
  readonly builtIn: Catalog
  /** The other toolkits of the folder. */
  readonly others: Catalog
  /** Slugs of shipped toolkits that the folder may replace. */
  readonly replaceable: ReadonlySet<string>
}

export type CheckedToolkit = { readonly releases: ToolkitReleases } | { readonly reasons: readonly string[] }

/**
 * Checks a toolkit as `patchbay toolkits lint` does, and whether its slugs are free. Its code is imported.
 * @param root the folder that contains the folder of this toolkit only
 */
export async function checkToolkit(
  slug: string,
  root: string,
  context: CheckContext,
): Promise<CheckedToolkit> {
  if (context.builtIn.toolkit(slug) && !context.replaceable.has(slug))
    return {
      reasons: [
        `${slug}: the program ships a toolkit with this slug. Choose another one, or name it in TOOLKITS_REPLACE.`,
      ],
    }
  try {
    const catalog = await loadCatalog({ folder: root, lint: true })
    const reasons = conflicts(slug, catalog, context)
    return reasons.length > 0 ? { reasons } : { releases: folderReader({ root, hasOperations: true })(slug) }
  } catch (error) {
    if (!(error instanceof ManifestError)) return { reasons: [`${slug}: ${(error as Error).message}`] }
    return {
      reasons: error.diagnostics.map(({ file, path, reason }) => `${file}${path && ` ${path}`}: ${reason}`),
    }
  }
}

/** A slug or alias belongs to one toolkit. */
function conflicts(slug: string, catalog: Catalog, { builtIn, others }: CheckContext): string[] {
  const names = [...catalog.entries(LATEST_VERSION)].flatMap((tool) => [tool.slug, ...tool.aliases])
  const triggers = catalog
    .triggers(slug, LATEST_VERSION)
    .flatMap(({ trigger }) => [trigger.slug, ...trigger.aliases])
  const conflict = (kind: string, name: string, owner: string | undefined) =>
    owner === undefined || owner === slug ? [] : [`${slug}: ${name} is also a ${kind} of ${owner}.`]
  return [builtIn, others].flatMap((other) => [
    ...names.flatMap((name) => conflict('tool', name, other.ownerOf(name))),
    ...triggers.flatMap((name) =>
      conflict('trigger', name, other.trigger(name, LATEST_VERSION)?.toolkit.slug),
    ),
  ])
}
