import type { Toolkit } from '../../../src/catalog/index.ts'
import { readCheckedOperations } from '../check-facts/operations-result.ts'
import { readCheckedSources } from '../check-sources/result.ts'
import { coverageTotals, mostUsed, type ToolkitCoverage } from '../coverage.ts'
import { FACTS_DATE, type NotIncluded } from '../sign-in/facts.ts'

/** Returns the index of all toolkits: a table, the slugs of each category, and what is covered. */
export function indexPage(
  toolkits: readonly Toolkit[],
  missing: readonly NotIncluded[],
  coverage: readonly ToolkitCoverage[],
): string {
  const tools = toolkits.reduce((sum, { toolCount }) => sum + toolCount, 0)
  const withTools = toolkits.filter(({ toolCount }) => toolCount > 0).length
  const triggers = toolkits.reduce((sum, { triggerCount }) => sum + triggerCount, 0)
  return `${[
    '# Built-in toolkits',
    `${toolkits.length} applications can be connected. ${withTools} of them have tools, ${tools} together, and ` +
      `${triggers} trigger types. With a connected account, each endpoint of every application can be called: ` +
      'see [Call any API endpoint](../guides/call-any-endpoint.md).',
    '`patchbay toolkits list --search mail` searches them. [Not included](not-included.md) lists the ' +
      `${missing.length} toolkits of the original platform that are missing, with the reason; ` +
      '[Without tools](without-tools.md) lists those that can be connected and have no tools.',
    '## All toolkits',
    [
      '| Toolkit | Tools | Authentication |',
      '|---|---|---|',
      ...toolkits.map(
        ({ slug, name, toolCount, schemes }) =>
          `| \`${slug}\` [${name}](${slug}.md) | ${toolCount} | ${schemes.map(({ mode }) => mode).join(', ')} |`,
      ),
    ].join('\n'),
    '## By category',
    categoryLines(toolkits).join('\n'),
    ...coverageSections(coverage),
    '## How they are checked',
    'The sign-in of each toolkit names its sources on its page: documents and libraries of the vendor first, then ' +
      `collections of API descriptions and connectors of other products. They were read on ${FACTS_DATE}. The tests ` +
      'use a real Parse Server, a real Node-RED and a certified OAuth server. Requests to other applications are ' +
      "checked against the vendors' published API descriptions, where available; the tests do not call the vendors.",
    comparedOperations(),
  ].join('\n\n')}\n`
}

function comparedOperations(): string {
  const checked = [...readCheckedOperations().values()]
  const tools = checked.reduce((sum, one) => sum + one.tools, 0).toLocaleString('en-US')
  const differences = checked.reduce((sum, { differs }) => sum + differs.length, 0)
  return (
    `Each of the ${tools} generated tools is compared with its operation in the document that it names: method, ` +
    `path, parameters, what is required, types and the body. ${differences} differ.${statedInFiles()}`
  )
}

/** What is said of the tools of toolkits for which there is no document. */
function statedInFiles(): string {
  const checked = [...readCheckedSources().values()]
  if (checked.length === 0) return ''
  const sum = (count: (one: (typeof checked)[number]) => number) =>
    checked.reduce((total, one) => total + count(one), 0).toLocaleString('en-US')
  return (
    ` ${sum(({ operations }) => operations)} of them, of ${checked.length} toolkits, have no document: the vendor's ` +
    'own code or page, or two independent sources, state their method and path. A program found ' +
    `${sum(({ found }) => found)} of these in the sources that each toolkit names; a person read the others.`
  )
}

/** Tables of `npm run toolkits:coverage`: totals, categories, and the toolkits with the most users. */
function coverageSections(coverage: readonly ToolkitCoverage[]): string[] {
  const byCategory = [...Map.groupBy(coverage, ({ categories }) => categories[0] ?? 'other')]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, group]) => coverageRow(category, group))
  const used = coverage
    .filter(({ slug }) => mostUsed.includes(slug))
    .map((one) => coverageRow(`[${one.slug}](${one.slug}.md)`, [one]))
  const head = (first: string) => [
    `| ${first} | Toolkits | With tools | Tools | Names of the original platform | … that resolve |`,
    '|---|---|---|---|---|---|',
  ]
  return [
    '## Coverage',
    'A name of the original platform resolves where it is the slug or another name of a tool, so that agents written ' +
      'for that platform find it. `npm run toolkits:coverage` prints these tables, and with `--missing` the names ' +
      'that do not resolve.',
    [
      '| | |',
      '|---|---|',
      ...coverageTotals(coverage).map(([label, value]) => `| ${label} | ${value} |`),
    ].join('\n'),
    [...head('Category'), ...byCategory].join('\n'),
    'The toolkits with the most users:',
    [...head('Toolkit'), ...used].join('\n'),
  ]
}

function coverageRow(label: string, group: readonly ToolkitCoverage[]): string {
  const sum = (count: (one: ToolkitCoverage) => number) => group.reduce((total, one) => total + count(one), 0)
  const tools = (one: ToolkitCoverage) => one.curatedTools + one.generatedTools
  const cells = [
    group.length,
    group.filter((one) => tools(one) > 0).length,
    sum(tools),
    sum(({ originalSlugs }) => originalSlugs),
    sum(({ resolvedSlugs }) => resolvedSlugs),
  ]
  return `| ${label} | ${cells.join(' | ')} |`
}

function categoryLines(toolkits: readonly Toolkit[]): string[] {
  const byCategory = new Map<string, string[]>()
  for (const { slug, categories } of toolkits)
    for (const { name } of categories) byCategory.set(name, [...(byCategory.get(name) ?? []), slug])
  return [...byCategory]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, slugs]) => `- ${name}: ${slugs.map((slug) => `[${slug}](${slug}.md)`).join(', ')}`)
}

/** Returns the page of the toolkits that are missing. */
export function notIncludedPage(missing: readonly NotIncluded[]): string {
  return `${[
    '# Not included',
    'These toolkits of the original platform are missing here: they no longer exist, they are services of that ' +
      'platform itself, or no source confirms how to sign in. No URL is guessed. To use such an application, ' +
      '[add its API](../guides/add-your-own-api.md).',
    [
      '| Toolkit | Reason |',
      '|---|---|',
      ...missing.map(({ slug, name, reason }) => `| \`${slug}\` ${name} | ${reason} |`),
    ].join('\n'),
  ].join('\n\n')}\n`
}
