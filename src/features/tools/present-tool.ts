import {
  type Catalog,
  type JsonSchema,
  type ResolvedTool,
  type SchemaFormatName,
  type Tool,
  toolParameters,
  toolSchemaInFormat,
} from '../../catalog/index.ts'
import type { ParameterFormat } from '../../contract/projects/call-settings.ts'
import type * as contract from '../../contract/tools/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'

/** Arguments and result of a tool, in the form of the response. */
interface PresentedParameters {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** Returns a tool as the API returns it, with its parameters in the given form. */
export function presentTool(
  { tool, toolkit, version }: ResolvedTool,
  catalog: Catalog,
  logo: (slug: string) => string,
  format: ParameterFormat,
  { input, output } = rememberedParameters(tool, format),
): contract.Tool {
  const availableVersions = [...catalog.availableVersions(toolkit.slug)]
  const toolkitLogo = logo(toolkit.slug)
  const isDeprecated = tool.deprecated || toolkit.deprecated
  return {
    slug: tool.slug,
    name: tool.name,
    description: tool.description,
    human_description: tool.humanDescription,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: toolkitLogo },
    input_parameters: input,
    output_parameters: output,
    no_auth: toolkit.noAuth || tool.noAuth,
    version,
    available_versions: availableVersions,
    scopes: [...tool.scopes],
    scope_requirements: tool.scopeRequirements as contract.Tool['scope_requirements'],
    tags: [...tool.tags],
    is_deprecated: isDeprecated,
    deprecated: {
      displayName: tool.name,
      version,
      available_versions: availableVersions,
      is_deprecated: isDeprecated,
      toolkit: { logo: toolkitLogo },
    },
  }
}

function rememberedParameters(tool: Tool, format: ParameterFormat): PresentedParameters {
  const parameters = toolParameters(tool)
  return format === 'map'
    ? { input: parameters.flatInput, output: parameters.flatOutput }
    : { input: parameters.input, output: parameters.output }
}

/**
 * Returns a tool with its arguments in the schema format of a model vendor.
 * @throws ApiError 400 with the reason when the format cannot express the tool
 */
export function withSchemaFormat(
  { tool }: ResolvedTool,
  presented: contract.Tool,
  format: SchemaFormatName | undefined,
): contract.Tool {
  if (!format) return presented
  const compiled = toolSchemaInFormat(tool, format)
  if ('schema' in compiled) return { ...presented, input_parameters: compiled.schema }
  throw badRequest(
    `Error in query.dialect: ${tool.slug} has no form in ${format} (${compiled.reason}). Read it without a dialect.`,
  )
}
