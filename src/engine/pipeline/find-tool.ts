import type { Catalog, FoundTool } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Execution } from '../types.ts'

/** The tool as the wanted version has it. One that the application no longer has is refused, and what replaces it is named. */
export function findTool(
  catalog: Catalog,
  { toolSlug, version }: Pick<Execution, 'toolSlug' | 'version'>,
): FoundTool {
  const found = catalog.tool(toolSlug, version)
  if (!found)
    throw new ApiError(
      'Tool_ToolNotFound',
      `Tool ${toolSlug} not found${catalog.tool(toolSlug, 'latest') ? ` in version ${version}` : ''}`,
    )
  const {
    tool: { slug, retirement },
    toolkit,
  } = found
  if (retirement?.gone)
    throw new ApiError(
      'ActionExecute_ToolDeprecated',
      [
        `${toolkit.name} no longer offers what ${slug} does.`,
        retirement.reason,
        retirement.replacedBy && `Use ${retirement.replacedBy}.`,
      ]
        .filter(Boolean)
        .join(' '),
    )
  return found
}
