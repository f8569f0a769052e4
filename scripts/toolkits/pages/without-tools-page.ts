import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Toolkit } from '../../../src/catalog/index.ts'

const DATA = join(import.meta.dirname, '..', 'data', 'without-tools.json')

/** Reasons, and the toolkits that have no tools for each. */
export type WithoutTools = Readonly<Record<string, readonly string[]>>

export const readWithoutTools = (): WithoutTools => JSON.parse(readFileSync(DATA, 'utf8')) as WithoutTools

/** Returns the page of the toolkits that can be connected and have no tools, by reason. */
export function withoutToolsPage(toolkits: readonly Toolkit[], reasons: WithoutTools): string {
  const names = new Map(toolkits.map(({ slug, name }) => [slug, name]))
  const rows = Object.entries(reasons)
    .flatMap(([reason, slugs]) => slugs.map((slug) => ({ slug, reason })))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return `${[
    '# Without tools',
    'These toolkits can be connected, but have no tools: a tool needs a source by the vendor, or two publishers that ' +
      'state the same request. Each of their endpoints can be called: see ' +
      '[Call any API endpoint](../guides/call-any-endpoint.md).',
    [
      '| Toolkit | Reason |',
      '|---|---|',
      ...rows.map(({ slug, reason }) => `| \`${slug}\` [${names.get(slug)}](${slug}.md) | ${reason} |`),
    ].join('\n'),
  ].join('\n\n')}\n`
}
