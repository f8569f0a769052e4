/**
 * Prints a sample of generated tools with name and first sentence, to read them.
 *
 *   node scripts/toolkits/print-names.ts [--seed names] [--count 150]
 *
 * The tools whose `<seed>:<slug>` has the smallest SHA-256 are the sample, so that nobody chooses.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { loadCatalog, readAllTools } from '../../src/catalog/index.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: 'names' }, count: { type: 'string', default: '150' } },
})
const catalog = await loadCatalog({ folder: join(import.meta.dirname, '..', '..', 'toolkits') })
const hashOf = (slug: string) => createHash('sha256').update(`${values.seed}:${slug}`).digest('hex')
const sample = [...readAllTools(catalog)]
  .filter(({ manifest }) => manifest.source !== undefined)
  .map((tool) => ({ ...tool, hash: hashOf(tool.slug) }))
  .sort((a, b) => (a.hash < b.hash ? -1 : 1))
  .slice(0, Number(values.count))
for (const { slug, name, description, manifest } of sample) {
  const { method, path } = manifest.request!
  const [sentence] = description.split(/\.(?=\s|$)/)
  stdout.write(`${slug} (${manifest.effect}, ${method} ${path})\n  ${name} | ${sentence!}.\n`)
}
