import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  forbidden,
  functionsAsProperties,
  missingBindings,
  textFilesOf,
  trackedFiles,
  wideLines,
} from './file-gates.ts'

// The forbidden texts are put together here: the gate reads this file too.
test('file contents: a machine path, a registry URL and a merge conflict are reported with their line', () => {
  const at = (text: string) =>
    forbidden('a.ts', text).map((fault) => fault.split(': ').slice(0, 2).join(': '))
  assert.deepEqual(at(`one\nsee ${['', 'work', 'main'].join('/')} there`), ['a.ts:2: a path of one machine'])
  assert.deepEqual(at(`${['', 'home', 'ann', 'x.ts'].join('/')}`), ['a.ts:1: a path of one machine'])
  assert.deepEqual(at(`"${'res'}${'olved'}": "https://a.example/b.tgz"`), [
    'a.ts:1: a package registry of one place',
  ])
  assert.deepEqual(at(`a\n${'<'.repeat(7)} HEAD\n`), ['a.ts:2: a merge conflict'])
})

test('file contents: a test that asserts clock time is reported', () => {
  const assertion = `  assert.ok(${'performance'}.now() - startedAt < 500)`
  assert.deepEqual(forbidden('a.test.ts', `\n${assertion}`), [
    `a.test.ts:2: an assertion on clock time: assert.ok(${'performance'}.now()`,
  ])
})

test('file contents: a line of code over 120 columns is reported, unless it cannot be divided', () => {
  const wide = 'x'.repeat(121)
  assert.deepEqual(wideLines('a.ts', `one\nreturn a + ${wide}`), [
    'a.ts:2: 132 columns: divide the line, at most 120 are allowed',
  ])
  for (const line of [`const form = /${wide} a/`, `test('${wide} a', () => {`, `'${wide}',`, 'x'.repeat(120)])
    assert.deepEqual(wideLines('a.ts', line), [], line)
  assert.deepEqual(wideLines('a.md', `a ${wide}`), [])
})

test('file contents: a function that is assigned to a property is reported where calls run', () => {
  for (const line of [
    '    this.#onAbort = () => this.fail()',
    '  query.callback = async (error: Error): Promise<void> => {',
    '  this.now ??= time => time',
  ]) {
    assert.equal(functionsAsProperties('src/platform/a.ts', `one\n${line}`).length, 1, line)
    assert.deepEqual(functionsAsProperties('src/platform/a.test.ts', line), [])
    assert.deepEqual(functionsAsProperties('src/cli/a.ts', line), [])
  }
  for (const line of [
    'const run = () => 1',
    'this.#run = run',
    '  readonly #run = () => 1',
    '{ run: () => 1 }',
  ])
    assert.deepEqual(functionsAsProperties('src/platform/a.ts', line), [], line)
})

test('file contents: texts that only resemble a machine path, a registry URL or a conflict marker are accepted', () => {
  for (const text of [
    'role=work',
    'import x from "./work/run.ts"',
    '/api/v3/work/x',
    '`${root}/work/x`',
    'https://a.example/home/x',
    'a heading\n========',
    'the resolved address',
  ])
    assert.deepEqual(forbidden('a.ts', text), [], text)
})

test('file contents: tracked files are listed, and node_modules is not', () => {
  const files = trackedFiles()
  assert.ok(files.includes('package.json') && files.length > 200)
  assert.ok(!files.some((file) => file.includes('node_modules/')))
})

test('file contents: in a copy without git, files that tests write are not listed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-gates-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['src', 'tmp', 'node_modules']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.ts'), '')
  }
  assert.deepEqual(textFilesOf(folder), [join('src', 'a.ts')])
})

test('dependencies: a lock file without the binary of another platform is reported', () => {
  const linter = { version: '1.0.0', optionalDependencies: { 'lint-linux': '1.0.0', 'lint-darwin': '1.0.0' } }
  const locked = { 'node_modules/lint': linter, 'node_modules/lint-linux': { version: '1.0.0' } }
  assert.deepEqual(missingBindings(locked as never), [
    'package-lock.json lacks lint-darwin, an optional dependency of node_modules/lint',
  ])
  assert.deepEqual(missingBindings({ ...locked, 'node_modules/lint-darwin': {} } as never), [])
})
