// Writes the tables of docs/scaling.md and docs/guides/sizing.md, from docs/sizing-figures.json; with --check fails
// when they are out of date.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figures } from '../bench/sizing/measure.ts'
import { writeGenerated } from './generated.ts'
import { TABLES } from './sizing/tables.ts'

const PAGES = ['docs/scaling.md', 'docs/guides/sizing.md']

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')

const figures = JSON.parse(read('docs/sizing-figures.json')) as Figures
for (const page of PAGES) {
  const text = read(page).replace(
    /(<!-- table: (\w+) -->\n\n)[^]*?(\n\n<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const write = TABLES[name]
      if (!write)
        throw new Error(`${page}: there is no table ${name}. There are ${Object.keys(TABLES).join(', ')}.`)
      return `${start}${write(figures)}${end}`
    },
  )
  writeGenerated(page, text, 'scripts/write-sizing.ts', process.argv.slice(2))
}
