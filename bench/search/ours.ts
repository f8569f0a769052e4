import { find, type Part, partOf } from '../../src/catalog/search/engine.ts'
import type { SearchToolkit } from '../../src/catalog/search/segments/document.ts'
import otherNames from '../../src/catalog/search/data/toolkit-aliases.json' with { type: 'json' }
import { indexOf, wordVectors } from '../../src/catalog/search/tool-search.ts'
import type { Search } from './baselines.ts'
import type { CorpusTool } from './data-sets.ts'

const EFFECTS: Readonly<Record<string, 'read' | 'create' | 'update' | 'delete'>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}
const VERSION = /^(current|default|latest|v?\d[\d.]*.*)$/i
const ENDINGS = /\.(com|org|io|net|co\.uk|de|us|gov|local|dev|app|ai)\b.*$/

/** A corpus as the index reads toolkits. Slugs of tools are the ids of the corpus. */
export function toolkitsOf(tools: readonly CorpusTool[]): SearchToolkit[] {
  return [...Map.groupBy(tools, ({ group }) => group)].map(([group, members]) => {
    const { title = group, provider } = members[0]!
    return {
      slug: slugOf(group, provider),
      name: title,
      description: '',
      hosts: provider ? [provider] : [],
      tools: members.map((tool) => ({
        slug: tool.id,
        name: tool.name,
        otherNames: tool.operation ?? '',
        description: tool.description,
        tags: tool.tags ?? [],
        parameters: tool.parameters,
        phrases: [],
        isCurated: false,
        path: tool.path,
        effect: EFFECTS[tool.method ?? ''],
      })),
    }
  })
}

/** What a person would call it: `googleapis.com/gmail` is `gmail`, `slack.com` is `slack`. */
function slugOf(group: string, provider: string | undefined): string {
  if (!provider) return group
  const service = group.split('/')[1]
  return service && !VERSION.test(service) ? service : provider.replace(ENDINGS, '').split('.').at(-1)!
}

export function ours(tools: readonly CorpusTool[]): Search & { part: Part } {
  const part = partOf(indexOf(toolkitsOf(tools)), otherNames)
  return {
    name: 'Patchbay',
    part,
    ask: (query, limit) => find([part], query, wordVectors(), { limit }).tools.map(({ slug }) => slug),
  }
}
