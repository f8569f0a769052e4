import { BRANDED_NAMES } from '../../contract/branded-names.ts'
import { didYouMean } from '../../platform/nearest-name.ts'
import type { Catalog } from '../types/index.ts'
import { LATEST_VERSION } from './versions.ts'

/** Describes a tool that a catalogue does not have, with the tool of the nearest name. */
export function describeMissingTool(
  catalog: Catalog,
  slug: string,
  version: string = LATEST_VERSION,
): string {
  if (catalog.tool(slug, LATEST_VERSION)) return `Tool ${slug} not found in version ${version}`
  const upperSlug = slug.toUpperCase()
  if (isMetaTool(catalog, upperSlug))
    return `${upperSlug} works only in a session. Send it to POST /tool_router/session/{session_id}/execute_meta`
  return withSuggestion(`Tool ${slug} not found`, upperSlug, toolSlugs(catalog, upperSlug))
}

/** The names of the meta tools, without the brand, which is a setting. */
const META_TOOL_NAMES = new Set(BRANDED_NAMES.metaTools.map((slug) => slug.replace(/^[A-Z]+_/, '')))

const isMetaTool = ({ toolkits }: Catalog, upperSlug: string): boolean => {
  const [, brand = '', name = ''] = /^([A-Z0-9]+)_(.+)$/.exec(upperSlug) ?? []
  return META_TOOL_NAMES.has(name) && !toolkits.some(({ slug }) => slug.toUpperCase() === brand)
}

/** Yields the slugs of the toolkit that a tool slug names, or of all toolkits when it names none. */
function* toolSlugs({ toolkits, tools }: Catalog, toolSlug: string): Iterable<string> {
  const isNamed = toolkits.some(({ slug }) => toolSlug.startsWith(`${slug.toUpperCase()}_`))
  for (const { slug, toolkit } of tools)
    if (!isNamed || toolSlug.startsWith(`${toolkit.toUpperCase()}_`)) yield slug
}

/** Describes a toolkit that a catalogue does not have, with the toolkit of the nearest name. */
export function describeMissingToolkit(catalog: Pick<Catalog, 'toolkits'>, slug: string): string {
  return withSuggestion(`Toolkit ${slug} not found`, slug, toolkitSlugs(catalog))
}

/** Describes a trigger type that a catalogue does not have, with the trigger type of the nearest name. */
export function describeMissingTriggerType(
  catalog: Pick<Catalog, 'toolkits' | 'triggers'>,
  slug: string,
): string {
  const upperSlug = slug.toUpperCase()
  return withSuggestion(`Trigger type ${upperSlug} not found`, upperSlug, triggerSlugs(catalog))
}

function withSuggestion(text: string, name: string, names: Iterable<string>): string {
  const suggestion = didYouMean(name, names)
  return suggestion ? `${text}.${suggestion}` : text
}

function* toolkitSlugs({ toolkits }: Pick<Catalog, 'toolkits'>): Iterable<string> {
  for (const { slug } of toolkits) yield slug
}

function* triggerSlugs(catalog: Pick<Catalog, 'toolkits' | 'triggers'>): Iterable<string> {
  for (const { slug } of catalog.toolkits)
    for (const { trigger } of catalog.triggers(slug, LATEST_VERSION)) yield trigger.slug
}
