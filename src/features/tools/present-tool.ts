import {
  type Catalog,
  type ResolvedTool,
  type SchemaFormatName,
  toolParameters,
  toolSchemaInFormat,
} from '../../catalog/index.ts'
import type { ParameterFormat } from '../../contract/projects/call-settings.ts'
import type * as contract from '../../contract/tools/index.ts'
import { markConstant } from '../../platform/constant-json.ts'
import { badRequest } from '../../platform/http/api-error.ts'

/** Returns a tool as the API returns it, with its parameters in the given form. */
export function presentTool(
  { tool, toolkit, version }: ResolvedTool,
  catalog: Catalog,
  logo: (slug: string) => string,
  format: ParameterFormat,
): contract.Tool {
  const parameters = toolParameters(tool)
  const availableVersions = [...catalog.availableVersions(toolkit.slug)]
  const toolkitLogo = logo(toolkit.slug)
  const isDeprecated = tool.deprecated || toolkit.deprecated
  return {
    slug: tool.slug,
    name: tool.name,
    description: tool.description,
    human_description: tool.humanDescription,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: toolkitLogo },
    input_parameters: format === 'map' ? parameters.flatInput : parameters.input,
    output_parameters: format === 'map' ? parameters.flatOutput : parameters.output,
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

/** A tool as lists return it, with what it depends on. */
interface PresentedTool {
  readonly toolkit: ResolvedTool['toolkit']
  /** Version of the tool, versions of its toolkit, URL of the logo and the form of its parameters. */
  readonly key: string
  readonly presented: contract.Tool
}

/** Forms of one tool that stay in memory: usually there is one for each version of the API. */
const FORMS_MAX = 4
const presentedTools = new WeakMap<ResolvedTool['tool'], PresentedTool[]>()

/** Returns a tool as lists return it. It is the same object each time, so that its JSON is written once. */
export function presentListedTool(
  resolved: ResolvedTool,
  catalog: Catalog,
  logo: (slug: string) => string,
  { format, dialect }: { format: ParameterFormat; dialect: SchemaFormatName | undefined },
): contract.Tool {
  const { tool, toolkit, version } = resolved
  const key = JSON.stringify([
    version,
    format,
    dialect,
    logo(toolkit.slug),
    ...catalog.availableVersions(toolkit.slug),
  ])
  let known = presentedTools.get(tool)
  if (!known) presentedTools.set(tool, (known = []))
  const same = known.find((one) => one.toolkit === toolkit && one.key === key)
  if (same) return same.presented
  const presented = markConstant(
    withSchemaFormat(resolved, presentTool(resolved, catalog, logo, format), dialect),
  )
  if (known.push({ toolkit, key, presented }) > FORMS_MAX) known.shift()
  return presented
}

/** Returns whether a list in this format contains the tool. */
export const hasSchemaInFormat = ({ tool }: ResolvedTool, format: SchemaFormatName | undefined): boolean =>
  !format || 'schema' in toolSchemaInFormat(tool, format)
