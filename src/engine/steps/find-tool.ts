import type { Catalog, FoundTool } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Execution } from '../types.ts'

/** The tool as the wanted version has it. */
export function findTool(catalog: Catalog, { toolSlug, version }: Pick<Execution, 'toolSlug' | 'version'>): FoundTool {
  const found = catalog.tool(toolSlug, version)
  if (!found) throw new ApiError('Tool_ToolNotFound', `Tool ${toolSlug} not found${catalog.tool(toolSlug, 'latest') ? ` in version ${version}` : ''}`)
  return found
}
