/**
 * Writes `toolkit.json` and `icon.svg` of every toolkit of `scripts/toolkits/sign-in/toolkits.jsonl`. Running it
 * again changes nothing. With `--check` it writes nothing and fails when a file is out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, stderr, stdout } from 'node:process'
import { readFacts, type ToolkitFacts } from './toolkits/sign-in/facts.ts'
import { iconOf } from './toolkits/sign-in/icon.ts'
import { manifestOf } from './toolkits/sign-in/manifest.ts'
import { printJson } from './print-json.ts'

const folder = join(import.meta.dirname, '..', 'toolkits')
const isCheck = argv.includes('--check')

const filesOf = (facts: ToolkitFacts): [path: string, text: string][] => [
  [join(folder, facts.slug, 'toolkit.json'), printJson(manifestOf(facts))],
  [join(folder, facts.slug, 'icon.svg'), iconOf(facts.slug, facts.name)],
]

const facts = readFacts()
const outdated = facts
  .flatMap(filesOf)
  .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
if (isCheck && outdated.length > 0) {
  stderr.write(`${outdated.map(([path]) => path).join('\n')}\nRun node scripts/write-toolkit-sign-in.ts.\n`)
  process.exitCode = 1
} else if (!isCheck) {
  for (const [path, text] of outdated) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  stdout.write(`${facts.length} toolkits, ${outdated.length} files written\n`)
}
