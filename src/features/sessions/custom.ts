import type { Catalog } from '../../catalog/index.ts'
import type { CustomTools } from '../../contract/sessions.ts'
import { refuse } from './check.ts'
import type { CustomTool } from './meta.ts'

const SLUG_MAX = 60
const RESERVED = /^(LOCAL_|SERVICE_)/i

type Given = CustomTools | null | undefined
type Named = NonNullable<CustomTools['custom_tools']>[number]

/** As answers show them: each with its final slug. What was not given is not there. */
export function customEcho(catalog: Catalog, given: Given) {
  const tools = (given?.custom_tools ?? []).map((tool) => ({ ...tool, ...named(tool, tool.extends_toolkit) }))
  const toolkits = (given?.custom_toolkits ?? []).map((toolkit) => ({
    ...toolkit,
    tools: toolkit.tools.map((tool) => ({ ...tool, ...named(tool, toolkit.slug) })),
  }))
  refuse(mistakesOf(catalog, tools, toolkits))
  return {
    ...(given?.custom_tools ? { custom_tools: tools } : {}),
    ...(given?.custom_toolkits ? { custom_toolkits: toolkits } : {}),
  }
}

/** The tools of a request that run in the caller's process. @throws ApiError 4301 */
export function customTools(catalog: Catalog, given: Given): CustomTool[] {
  const { custom_tools: tools = [], custom_toolkits: toolkits = [] } = customEcho(catalog, given)
  return [
    ...tools.map((tool) => ({ ...tool, toolkit: tool.extends_toolkit?.toLowerCase() })),
    ...toolkits.flatMap(({ slug, tools: own }) =>
      own.map((tool) => ({ ...tool, toolkit: slug.toLowerCase() })),
    ),
  ]
}

const named = ({ slug }: Pick<Named, 'slug'>, toolkit: string | undefined) => ({
  slug: `LOCAL_${toolkit === undefined ? '' : `${toolkit}_`}${slug}`.toUpperCase(),
  original_slug: slug,
})

interface Final {
  slug: string
  original_slug: string
  input_schema: Readonly<Record<string, unknown>>
  extends_toolkit?: string | undefined
}

function mistakesOf(
  catalog: Catalog,
  tools: readonly Final[],
  toolkits: readonly { slug: string; tools: readonly Final[] }[],
): string[] {
  const all = [...tools, ...toolkits.flatMap((toolkit) => toolkit.tools)]
  const slugs = all.map(({ slug }) => slug)
  return [
    ...all.flatMap(({ slug, original_slug: given, input_schema: schema }, i) => [
      ...(RESERVED.test(given)
        ? [`experimental: the slug ${given} must not begin with LOCAL_ or SERVICE_`]
        : []),
      ...(slug.length > SLUG_MAX ? [`experimental: ${slug} is longer than ${SLUG_MAX} characters`] : []),
      ...(slugs.indexOf(slug) < i ? [`experimental: ${slug} is there twice`] : []),
      ...(schema['type'] === 'object' &&
      typeof schema['properties'] === 'object' &&
      schema['properties'] !== null
        ? []
        : [`experimental: input_schema of ${given} must be of type object, with properties`]),
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
          RESERVED.test(slug) ||
          toolkits.findIndex((one) => one.slug.toLowerCase() === slug.toLowerCase()) < i,
      )
      .map(
        ({ slug }) => `experimental: the toolkit ${slug} is there twice, or begins with LOCAL_ or SERVICE_`,
      ),
  ]
}
