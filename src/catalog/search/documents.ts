import { propertiesOf } from '../build.ts'
import type { Catalog, Tool, Toolkit } from '../records.ts'
import type { SearchDocument, SearchToolkit } from './document.ts'

const HOST = /^https?:\/\/([^/{}:?#]+)/

/** A toolkit of the catalogue as the index reads it. `older`: tools that only earlier releases have; they stay findable for who asks for those. */
export function searchToolkit(toolkit: Toolkit, older: readonly Tool[] = []): SearchToolkit {
  const hosts = [toolkit.appUrl, toolkit.baseUrl?.source].flatMap((address) => HOST.exec(address ?? '')?.[1] ?? [])
  return { slug: toolkit.slug, name: toolkit.name, description: toolkit.description, hosts: [...new Set(hosts)], tools: [...toolkit.tools, ...older].map(documentOf) }
}

/** All toolkits of a catalogue, one after the other. */
export function* searchToolkits(catalog: Catalog): Generator<SearchToolkit> {
  for (const toolkit of catalog.toolkits) {
    const known = new Set(toolkit.tools.map(({ slug }) => slug))
    const older = catalog.availableVersions(toolkit.slug).toReversed().flatMap((version) => (catalog.toolkit(toolkit.slug, version)?.tools ?? []).filter(({ slug }) => !known.has(slug) && known.add(slug)))
    yield searchToolkit(toolkit, older)
  }
}

function documentOf(tool: Tool): SearchDocument {
  return {
    slug: tool.slug, name: tool.name, otherNames: tool.slug.slice(tool.toolkit.length + 1), description: tool.description, tags: tool.tags.filter((tag) => tag !== 'important' && !tag.endsWith('Hint')),
    parameters: Object.entries(propertiesOf(tool.input)).map(([name, { description }]) => ({ name, description: typeof description === 'string' ? description : '' })),
    path: tool.request?.path.source, effect: tool.effect,
  }
}
