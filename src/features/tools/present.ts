import { type Catalog, type SchemaFormatName, type ResolvedTool, toolSchemaInFormat, toolParameters } from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type * as contract from '../../contract/tools.ts'
import { badRequest } from '../../platform/http/api-error.ts'

/** A tool as the wire shows it: flat parameters on v3, JSON Schema on v3.1. */
export function presentTool(
  { tool, toolkit, version }: ResolvedTool,
  catalog: Catalog,
  logo: (slug: string) => string,
  apiVersion: ApiVersion,
): contract.Tool {
  const views = toolParameters(tool)
  const available = [...catalog.availableVersions(toolkit.slug)]
  const toolkitLogo = logo(toolkit.slug)
  return {
    slug: tool.slug,
    name: tool.name,
    description: tool.description,
    human_description: tool.humanDescription,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: toolkitLogo },
    input_parameters: apiVersion === 'v3' ? views.flatInput : views.input,
    output_parameters: apiVersion === 'v3' ? views.flatOutput : views.output,
    no_auth: toolkit.noAuth || tool.noAuth,
    version,
    available_versions: available,
    scopes: [...tool.scopes],
    scope_requirements: tool.scopeRequirements as contract.Tool['scope_requirements'],
    tags: [...tool.tags],
    is_deprecated: tool.deprecated || toolkit.deprecated,
    deprecated: {
      displayName: tool.name,
      version,
      available_versions: available,
      is_deprecated: tool.deprecated || toolkit.deprecated,
      toolkit: { logo: toolkitLogo },
    },
  }
}

/** The same with the arguments as a vendor of models takes them. @throws ApiError 400 with the reason when it would not take the tool in any form */
export function presentInDialect(
  found: ResolvedTool,
  presented: contract.Tool,
  dialect: SchemaFormatName | undefined,
): contract.Tool {
  if (!dialect) return presented
  const compiled = toolSchemaInFormat(found.tool, dialect)
  if ('reason' in compiled)
    throw badRequest(
      `Error in query.dialect: ${found.tool.slug} cannot be told in ${dialect} (${compiled.reason}). Read it without a dialect.`,
    )
  return { ...presented, input_parameters: compiled.schema }
}

/** Whether a list in this dialect has the tool. */
export const isTold = ({ tool }: ResolvedTool, dialect: SchemaFormatName | undefined): boolean =>
  !dialect || 'schema' in toolSchemaInFormat(tool, dialect)
