import type { ResolvedTool, Tool, Toolkit } from '../../../catalog/index.ts'
import type { ContentCategory } from '../../../contract/policies/content-categories.ts'

/** What a call does with data of other people. */
export interface DataFlow {
  /** The kind of untrusted content in its result; undefined for none. */
  reads: ContentCategory | undefined
  /** It passes its arguments to others, or changes something. */
  sends: boolean
}

/** The content of a toolkit, by its categories. The first category of a toolkit that is here decides. */
const CATEGORIES: Readonly<Partial<Record<ContentCategory, readonly string[]>>> = {
  mail: ['email', 'email-automation', 'email-marketing'],
  chat: [
    'communication',
    'communications',
    'communication-tools',
    'collaboration-communication',
    'messaging',
    'business-messaging',
    'ai-powered-messaging',
    'customer-communication',
    'employee-communication',
  ],
  web: [
    'search',
    'news',
    'web-scraping',
    'web-monitoring',
    'data-extraction',
    'browser-automation',
    'headless-browsing',
    'search-engine-optimization',
    'seo',
    'screenshot-service',
    'knowledge',
  ],
  issues: [
    'developer-tools',
    'developer-tools-devops',
    'project-management',
    'productivity-project-management',
    'task-management',
    'bug-tracking',
    'error-monitoring',
    'incident-management',
    'customer-support',
    'sales-customer-support',
    'ticketing',
    'code-search',
  ],
  files: [
    'file-storage',
    'storage',
    'documents',
    'document-management',
    'document-file-management',
    'document-processing',
    'spreadsheets',
    'knowledge-base',
    'transcription',
    'transcription-services',
  ],
  social: [
    'social',
    'social-media',
    'social-media-management',
    'marketing-social-media',
    'entertainment-media',
    'community-platform',
    'video',
    'video-hosting',
  ],
  calendar: [
    'calendar',
    'scheduling',
    'scheduling-booking',
    'appointment-scheduling',
    'event-management',
    'event-planning',
    'online-meetings',
    'webinars',
  ],
  forms: [
    'form-builder',
    'form-backend',
    'forms-automation',
    'survey',
    'survey-tool',
    'survey-tools',
    'customer-feedback',
    'feedback-management',
    'website-feedback',
  ],
}
const CONTENT_OF = new Map(
  Object.entries(CATEGORIES).flatMap(([content, ids]) =>
    ids.map((id) => [id, content as ContentCategory] as const),
  ),
)

/** Toolkits whose categories say something else. A released manifest cannot change. */
const TOOLKITS: Readonly<Record<string, ContentCategory>> = {
  exa: 'web',
  firecrawl: 'web',
  hackernews: 'web',
  notion: 'files',
  perplexityai: 'web',
  serpapi: 'web',
  tavily: 'web',
}

/**
 * Returns what a tool does with data. The manifest of the tool decides, then that of the toolkit, then the categories
 * of the toolkit. Any application may hold content of other people, so the default is `records`, not none. A tool that
 * was written by hand and creates something returns what the caller sent; of other tools this is not known.
 */
export function dataFlowOf({ tool, toolkit }: ResolvedTool, isProxy: boolean): DataFlow {
  const manifest: Partial<Tool['manifest']> = isProxy ? {} : tool.manifest
  const { untrusted_content: own, sends_data: sends } = manifest
  const content = contentOf(toolkit)
  const returnsOwnInput = !isProxy && tool.effect === 'create' && isWrittenByHand({ tool, toolkit })
  const reads = own ?? (returnsOwnInput ? 'none' : content)
  return {
    reads: reads === 'none' ? undefined : reads,
    sends:
      isProxy ||
      (sends ??
        // The arguments of a web search, or of a tool of an MCP server, leave for a server of others.
        (tool.effect !== 'read' ||
          content === 'web' ||
          (tool.mcp !== undefined && tool.tags.includes('openWorldHint')))),
  }
}

function contentOf({ slug, origin, manifest, local, categories }: Toolkit): ContentCategory | 'none' {
  if (manifest.untrusted_content) return manifest.untrusted_content
  if (local) return 'none'
  const known = origin === 'built_in' ? TOOLKITS[slug] : undefined
  return (
    known ??
    categories.map(({ id }) => CONTENT_OF.get(id)).find((content) => content !== undefined) ??
    'records'
  )
}

const isWrittenByHand = ({ tool, toolkit }: Pick<ResolvedTool, 'tool' | 'toolkit'>): boolean =>
  toolkit.origin === 'built_in' && tool.manifest.source === undefined
