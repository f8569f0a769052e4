/**
 * Prints generated tools to read next to their sources, chosen by a seed: toolkits with ten or more generated tools
 * that no row of the review names, and tools of each.
 *
 *   node scripts/toolkits/print-sample.ts [--seed done] [--toolkits 20] [--tools 10] [--before <heading>]
 *
 * `--before` reads the review up to a heading only: that of the sample itself prints it again.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { loadCatalog } from '../../src/catalog/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TOOLS_MIN = 10
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: 'done' },
    toolkits: { type: 'string', default: '20' },
    tools: { type: 'string', default: '10' },
    before: { type: 'string' },
  },
})

const written = readFileSync(join(ROOT, 'docs', 'toolkits-review.md'), 'utf8')
const review = values.before === undefined ? written : written.split(`\n## ${values.before}`)[0]!
const isRead = (slug: string) => review.includes(`| ${slug.toUpperCase()}_`)
const rank = (text: string) => createHash('sha256').update(`${values.seed}:${text}`).digest('hex')
const byRank = <T extends { slug: string }>(all: readonly T[], count: string): T[] =>
  all.toSorted((a, b) => rank(a.slug).localeCompare(rank(b.slug))).slice(0, Number(count))

const catalog = await loadCatalog({ folder: join(ROOT, 'toolkits') })
const toolkits = catalog.toolkits
  .filter(({ slug }) => !isRead(slug))
  .map(({ slug, version }) => ({
    slug,
    tools: [...catalog.manifests(slug, version)].filter((one) => one.source),
  }))
  .filter(({ tools }) => tools.length >= TOOLS_MIN)
for (const { tools } of byRank(toolkits, values.toolkits))
  for (const { slug, effect, request, description, source } of byRank(tools, values.tools)) {
    const [sentence] = description.split('. ')
    const parts = [slug, source!.document, effect, `${request!.method} ${request!.path}`, sentence!]
    stdout.write(`${parts.join(' | ')}\n`)
  }
