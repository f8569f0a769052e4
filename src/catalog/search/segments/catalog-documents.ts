import { propertiesOf } from '../../manifest/json-schema.ts'
import type { ToolManifest } from '../../manifest/format/index.ts'
import type { Catalog, JsonSchema } from '../../types/index.ts'
import type { SearchDocument, SearchToolkit } from './document.ts'

const HOST = /^https?:\/\/([^/{}:?#]+)/

/**
 * A toolkit of the catalogue as the index reads it, with the tools that only earlier releases have: they stay
 * findable for who asks for those.
 */
export function searchToolkit(catalog: Catalog, slug: string): SearchToolkit {
  const toolkit = catalog.toolkit(slug)!
  const hosts = [toolkit.appUrl, toolkit.manifest.base_url].flatMap(
    (address) => HOST.exec(address ?? '')?.[1] ?? [],
  )
  const tools = new Map<string, SearchDocument>()
  for (const version of catalog.availableVersions(slug).slice(1).toReversed()) {
    for (const tool of catalog.manifests(slug, version))
      if (!tools.has(tool.slug)) tools.set(tool.slug, documentOf(tool, slug))
  }
  return {
    slug,
    digest: catalog.digest(slug),
    name: toolkit.name,
    description: toolkit.description,
    hosts: [...new Set(hosts)],
    tools: [...tools.values()],
  }
}

/** All toolkits of a catalogue, one after the other. */
export function* searchToolkits(catalog: Catalog): Generator<SearchToolkit> {
  for (const { slug } of catalog.toolkits) yield searchToolkit(catalog, slug)
}

function documentOf(
  {
    slug,
    name,
    description,
    human_description: line,
    phrases = [],
    tags = [],
    input,
    request,
    effect,
  }: ToolManifest,
  toolkit: string,
): SearchDocument {
  return {
    slug,
    name,
    otherNames: slug.slice(toolkit.length + 1),
    description,
    tags: tags.filter((tag) => tag !== 'important' && !tag.endsWith('Hint')),
    parameters: Object.entries(propertiesOf(input as Readonly<Record<string, unknown>>)).map(
      ([parameter, schema]) => ({ name: parameter, description: textOf(schema) }),
    ),
    phrases: [...(line === undefined || line === name ? [] : [line]), ...phrases],
    isCurated: phrases.length > 0,
    path: request?.path,
    effect,
    needs: neededTools(input as Readonly<Record<string, unknown>>, slug),
  }
}

const SLUG = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g

/** Tools that the descriptions of required arguments name as the source of their values. */
function neededTools(input: Readonly<Record<string, unknown>>, own: string): string[] {
  const required: readonly unknown[] = Array.isArray(input['required']) ? input['required'] : []
  const texts = Object.entries(propertiesOf(input)).flatMap(([name, { description, default: preset }]) =>
    required.includes(name) && preset === undefined && typeof description === 'string' ? [description] : [],
  )
  return [...new Set(texts.flatMap((text) => text.match(SLUG) ?? []))].filter((slug) => slug !== own)
}

const ENUM_VALUES_MAX = 24

/** The description of a parameter with its allowed values, which name what it can do. */
function textOf({ description, enum: values }: JsonSchema): string {
  const allowed = Array.isArray(values) ? values.slice(0, ENUM_VALUES_MAX) : []
  return [description, ...allowed].filter((text) => typeof text === 'string').join(' ')
}
