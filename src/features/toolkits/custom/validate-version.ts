import type { Catalog } from '../../../catalog/index.ts'
import { CONTENT_BYTES_MAX, type PreparedVersion } from '../../../catalog/importers/versions/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import * as store from './store.ts'

/** Limits of a project. The instance, which the administrator controls, has none. */
export const PROJECT_LIMITS = {
  toolkits: 200,
  versions: 100,
  tools: 20_000,
  bytes: 256 * 1024 * 1024,
} as const

const MEGABYTE = 2 ** 20

/** Checks the size and the slugs of a version before it is stored, with a pause after each tool. @throws ApiError 409 */
export function* assertValid(
  catalog: Catalog,
  owner: store.ToolkitOwner,
  { toolkit: { slug }, tools, quarantined, size }: PreparedVersion,
): Generator<void, void> {
  if (tools.length === 0)
    throw new ApiError(
      'Toolkit_LimitReached',
      `No tool of ${slug} can be offered to a model: ${quarantined[0]?.reason ?? 'there are no tools'}.`,
    )
  if (size > CONTENT_BYTES_MAX)
    throw new ApiError(
      'Toolkit_LimitReached',
      `${slug} is larger than ${CONTENT_BYTES_MAX / MEGABYTE} MB of JSON.`,
    )
  yield* assertSlugsAvailable(catalog, owner, slug, tools)
}

/** Each slug identifies one toolkit or tool of a project. @throws ApiError 409 */
function* assertSlugsAvailable(
  catalog: Catalog,
  owner: store.ToolkitOwner,
  slug: string,
  tools: readonly string[],
): Generator<void, void> {
  const existing = catalog.toolkit(slug)
  const origin = owner === null ? 'instance' : 'project'
  if (existing && existing.origin !== origin)
    throw new ApiError(
      'Toolkit_SlugTaken',
      `A toolkit ${slug} exists already: ${existing.name}. Import this one with another slug.`,
    )
  for (const tool of tools) {
    yield
    const toolkit = catalog.ownerOf(tool)
    if (toolkit !== undefined && toolkit !== slug)
      throw new ApiError(
        'Toolkit_SlugTaken',
        `The tool slug ${tool} is used by a tool of ${toolkit}. Import ${slug} with another slug.`,
      )
  }
}

/** Checks the limits of a project before a version is added. @throws ApiError */
export async function assertWithinLimits(
  tx: Db,
  projectId: string,
  { slug, tools, versions, bytes }: { slug: string; tools: number; versions: number; bytes: number },
): Promise<void> {
  const rows = await store.listVersions(tx, projectId)
  const newest = [...Map.groupBy(rows, (row) => row.slug)]
    .filter(([other]) => other !== slug)
    .map(([, [row]]) => row!)
  const { toolkits: toolkitsMax, versions: versionsMax, tools: toolsMax, bytes: bytesMax } = PROJECT_LIMITS
  const errors = [
    versions === 0 &&
      newest.length >= toolkitsMax &&
      `The project has ${toolkitsMax} custom toolkits, which is the maximum. Delete one first.`,
    versions >= versionsMax &&
      `${slug} has ${versionsMax} versions, which is the maximum. Import it with another slug, or delete it.`,
    newest.reduce((sum, row) => sum + row.tools_count, tools) > toolsMax &&
      `The custom toolkits of the project would have more than ${toolsMax} tools.`,
    rows.reduce((sum, row) => sum + row.size, bytes) > bytesMax &&
      `The custom toolkits of the project would be larger than ${bytesMax / MEGABYTE} MB.`,
  ].filter((error) => typeof error === 'string')
  if (errors[0] !== undefined) throw new ApiError('Toolkit_LimitReached', errors[0])
}
