import type { Catalog } from '../../../catalog/index.ts'
import type { CustomTools } from '../../../contract/sessions/index.ts'
import { assertNoProblems } from '../config/validate-config.ts'
import type { CustomTool } from '../meta-tools/meta-tool.ts'

const SLUG_CHARACTERS_MAX = 60
const RESERVED_PREFIX = /^(LOCAL_|SERVICE_)/i

type CustomToolsRequest = CustomTools | null | undefined
type CustomToolDraft = NonNullable<CustomTools['custom_tools']>[number]

/** As answers show them: each with its final slug. What was not given is not there. */
export function presentCustomTools(catalog: Catalog, request: CustomToolsRequest) {
  const tools = (request?.custom_tools ?? []).map((tool) => ({
    ...tool,
    ...withFinalSlug(tool, tool.extends_toolkit),
  }))
  const toolkits = (request?.custom_toolkits ?? []).map((toolkit) => ({
    ...toolkit,
    tools: toolkit.tools.map((tool) => ({ ...tool, ...withFinalSlug(tool, toolkit.slug) })),
  }))
  assertNoProblems(customToolProblems(catalog, tools, toolkits))
  return {
    ...(request?.custom_tools ? { custom_tools: tools } : {}),
    ...(request?.custom_toolkits ? { custom_toolkits: toolkits } : {}),
  }
}

/** The tools of a request that run in the caller's process. @throws ApiError 4301 */
export function readCustomTools(catalog: Catalog, request: CustomToolsRequest): CustomTool[] {
  const { custom_tools: tools = [], custom_toolkits: toolkits = [] } = presentCustomTools(catalog, request)
  return [
    ...tools.map((tool) => ({ ...tool, toolkit: tool.extends_toolkit?.toLowerCase() })),
    ...toolkits.flatMap(({ slug, tools: toolkitTools }) =>
      toolkitTools.map((tool) => ({ ...tool, toolkit: slug.toLowerCase() })),
    ),
  ]
}

const withFinalSlug = ({ slug }: Pick<CustomToolDraft, 'slug'>, toolkit: string | undefined) => ({
  slug: `LOCAL_${toolkit === undefined ? '' : `${toolkit}_`}${slug}`.toUpperCase(),
  original_slug: slug,
})

interface NamedCustomTool {
  slug: string
  original_slug: string
  input_schema: Readonly<Record<string, unknown>>
  extends_toolkit?: string | undefined
}

function customToolProblems(
  catalog: Catalog,
  tools: readonly NamedCustomTool[],
  toolkits: readonly { slug: string; tools: readonly NamedCustomTool[] }[],
): string[] {
  const all = [...tools, ...toolkits.flatMap((toolkit) => toolkit.tools)]
  const slugs = all.map(({ slug }) => slug)
  return [
    ...all.flatMap(({ slug, original_slug: request, input_schema: schema }, i) => [
      ...(RESERVED_PREFIX.test(request)
        ? [`experimental: the slug ${request} must not begin with LOCAL_ or SERVICE_`]
        : []),
      ...(slug.length > SLUG_CHARACTERS_MAX
        ? [`experimental: ${slug} is longer than ${SLUG_CHARACTERS_MAX} characters`]
        : []),
      ...(slugs.indexOf(slug) < i ? [`experimental: ${slug} is there twice`] : []),
      ...(schema['type'] === 'object' &&
      typeof schema['properties'] === 'object' &&
      schema['properties'] !== null
        ? []
        : [`experimental: input_schema of ${request} must be of type object, with properties`]),
    ]),
    ...tools
      .filter(({ extends_toolkit: toolkit }) => toolkit !== undefined && !catalog.toolkit(toolkit))
      .map(
        ({ original_slug: slug, extends_toolkit: toolkit }) =>
          `experimental: ${slug} extends ${toolkit}, and there is no such toolkit`,
      ),
    ...toolkits
      .filter(({ slug }) => catalog.toolkit(slug))
      .map(({ slug }) => `experimental: there is a toolkit ${slug} already`),
    ...toolkits
      .filter(
        ({ slug }, i) =>
          RESERVED_PREFIX.test(slug) ||
          toolkits.findIndex((one) => one.slug.toLowerCase() === slug.toLowerCase()) < i,
      )
      .map(
        ({ slug }) => `experimental: the toolkit ${slug} is there twice, or begins with LOCAL_ or SERVICE_`,
      ),
  ]
}
