import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './markdown.ts'

const RECORDS = ['0118-answers-to-specification-reviews.md', '0119-answers-to-usage-reviews.md']

/** Returns the test files and titles that a record names: a file in code, and titles in quotes after it. */
function namedTests(text: string): { file: string; titles: string[] }[] {
  return [...text.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`([^`|]*)/g)].map(
    ([, file = '', after = '']) => ({
      file,
      titles: [...after.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    }),
  )
}

function missing({ file, titles }: { file: string; titles: string[] }, record: string): string[] {
  const path = join(ROOT, file)
  if (!existsSync(path)) return [`${record}: ${file} does not exist`]
  const source = readFileSync(path, 'utf8')
  return titles
    .filter((title) => !source.includes(`'${title}'`))
    .map((title) => `${record}: ${file} has no "${title}"`)
}

test('review findings: every test that is cited for a finding exists', () => {
  for (const record of RECORDS) {
    const tests = namedTests(readFileSync(join(ROOT, 'docs/decisions', record), 'utf8'))
    assert.ok(tests.length > 5, record)
    assert.deepEqual(
      tests.flatMap((one) => missing(one, record)),
      [],
    )
  }
})

test('review findings: every row of a table names a test or a reason', () => {
  for (const record of RECORDS) {
    const rows = readFileSync(join(ROOT, 'docs/decisions', record), 'utf8').match(/^\| .+\|$/gm) ?? []
    assert.ok(rows.length > 10)
    for (const row of rows.filter((one) => !/^\| (Finding|Mistake) /.test(one)))
      assert.match(row, /^(?!.*(\| Open\b|Open:)).*(\.test\.ts`|Reason: |The same test)/, row)
  }
})
