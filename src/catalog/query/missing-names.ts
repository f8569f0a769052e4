import { didYouMean } from '../../platform/nearest-name.ts'
import type { Catalog, Listing, ToolEntry } from '../types/index.ts'
import { LATEST_VERSION } from './versions.ts'

/** Describes a tool that a catalogue does not have, with the tool of the nearest name. */
export function describeMissingTool(
  catalog: Catalog,
  slug: string,
  version: string = LATEST_VERSION,
): string {
  if (catalog.tool(slug, LATEST_VERSION)) return `Tool ${slug} not found in version ${version}`
  return withSuggestion(`Tool ${slug} not found`, slug.toUpperCase(), slugsOf(catalog.tools))
}

/** Describes a toolkit that a catalogue does not have, with the toolkit of the nearest name. */
export function describeMissingToolkit(catalog: Pick<Catalog, 'toolkits'>, slug: string): string {
  return withSuggestion(`Toolkit ${slug} not found`, slug, slugsOf(catalog.toolkits))
}

/** Describes a trigger type that a catalogue does not have, with the trigger type of the nearest name. */
export function describeMissingTriggerType(
  catalog: Pick<Catalog, 'toolkits' | 'triggers'>,
  slug: string,
): string {
  const wanted = slug.toUpperCase()
  return withSuggestion(`Trigger type ${wanted} not found`, wanted, triggerSlugs(catalog))
}

function withSuggestion(text: string, name: string, names: Iterable<string>): string {
  const suggestion = didYouMean(name, names)
  return suggestion ? `${text}.${suggestion}` : text
}

function* slugsOf(entries: Listing<Pick<ToolEntry, 'slug'>> | readonly { slug: string }[]): Iterable<string> {
  for (const { slug } of entries) yield slug
}

function* triggerSlugs(catalog: Pick<Catalog, 'toolkits' | 'triggers'>): Iterable<string> {
  for (const { slug } of catalog.toolkits)
    for (const { trigger } of catalog.triggers(slug, LATEST_VERSION)) yield trigger.slug
}
