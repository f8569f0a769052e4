import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'docs/security-findings.md'
/** The findings of the review: five of high severity, ten of medium, twelve of low, two that came with the attacks. */
const FINDINGS = [
  ...['H1', 'H2', 'H3', 'H4', 'H5'],
  ...Array.from({ length: 10 }, (_, index) => `M${index + 1}`),
  ...Array.from({ length: 12 }, (_, index) => `L${index + 1}`),
  ...['N1', 'N2'],
]
const ROW = /^\| ([HMLN]\d+|—) \| (.+) \| \[[^\]]+\]\(\.\.\/([^)]+)\) \| (.+) \|$/

/** The rows of the table: finding, attack, file and a part of the title of the test. */
const rows = readFileSync(join(ROOT, PAGE), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Finding '))
  .map((line) => {
    const [, finding, attack, file, title] = ROW.exec(line) ?? []
    assert.ok(finding && attack && file && title, `${PAGE}: not a row of the table: ${line}`)
    return { finding, attack, file, title }
  })

/** Titles of tests and of their steps, as they are in the source: in one of three quotes. */
const titlesOf = (text: string): string[] =>
  [...text.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , title]) => title as string)

test('security: each attack in the table of findings has a test', () => {
  for (const { finding, attack, file, title } of rows) {
    const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : ''
    assert.ok(
      titlesOf(text).some((one) => one.includes(title)),
      `${finding}, "${attack}": no test "${title}" in ${file}`,
    )
  }
})

test('security: the table has every finding of the review', () => {
  const listed = new Set(rows.map(({ finding }) => finding))
  assert.deepEqual(
    FINDINGS.filter((finding) => !listed.has(finding)),
    [],
  )
})
