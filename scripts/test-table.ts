// Runs test files and prints a table with one row for each test: `node scripts/test-table.ts <file or folder>…`.
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { argv, execPath, stdout } from 'node:process'

/** A line of the test runner: `✔ title (12.3ms)`, indented for a part of a test. */
const RESULT = /^(\s*)([✔✖﹣])\s(.+?) \((\d+(?:\.\d+)?)ms\)/
const RESULT_NAMES: Readonly<Record<string, string>> = { '✔': 'passed', '✖': 'FAILED', '﹣': 'skipped' }

const files = argv
  .slice(2)
  .flatMap((path) => (statSync(path).isDirectory() ? globSync(join(path, '**/*.test.ts')) : [path]))
  .sort()
const child = spawn(execPath, [join(import.meta.dirname, 'test.ts'), ...files], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
for await (const text of child.stdout.setEncoding('utf8')) output += String(text)
const exitCode = child.exitCode ?? (await new Promise<number | null>((done) => child.once('exit', done)))

// The runner repeats failures with their errors at the end.
const [results = '', errors] = output.split('✖ failing tests:')
const rows = results.split('\n').flatMap((line) => {
  const [, indent = '', mark = '', title = '', ms = ''] = RESULT.exec(line) ?? []
  return mark === ''
    ? []
    : [{ result: RESULT_NAMES[mark] ?? mark, ms: Math.round(Number(ms)), title: indent + title }]
})
for (const { result, ms, title } of rows)
  stdout.write(`| ${result.padEnd(7)} | ${String(ms).padStart(6)} ms | ${title}\n`)
const failed = rows.filter(({ result }) => result === 'FAILED').length
stdout.write(`\n${rows.length} tests in ${files.length} files, ${failed} failed.\n`)
if (errors !== undefined) stdout.write(`\n${errors}`)
process.exitCode = exitCode === 0 && rows.length > 0 ? 0 : 1
