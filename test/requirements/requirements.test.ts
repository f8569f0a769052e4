import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REQUIREMENTS } from './index.ts'
import { type Requirement, SECTIONS } from './requirement.ts'

const ROOT = join(import.meta.dirname, '../..')

const TEXT = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)`
const CALL = new RegExp(String.raw`\b(?:test|it|describe)(?:\.\w+)?\(\s*(${TEXT}(?:\s*\+\s*${TEXT})*)`, 'g')

/** Titles of the tests of a source text, as they are written: placeholders of templates are part of them. */
function titlesIn(source: string): Set<string> {
  const found = [...source.matchAll(CALL)].map(([, texts = '']) =>
    [...texts.matchAll(new RegExp(TEXT, 'g'))]
      .map(([text]) => text.slice(1, -1).replace(/\\(.)/g, '$1'))
      .join(''),
  )
  return new Set(found)
}

const titles = new Map<string, Set<string>>()
function titlesOf(file: string): Set<string> {
  const known = titles.get(file)
  if (known) return known
  const path = join(ROOT, file)
  const found = existsSync(path) ? titlesIn(readFileSync(path, 'utf8')) : new Set<string>()
  titles.set(file, found)
  return found
}

/** Returns what is wrong with the evidence of a requirement, or undefined. */
function problemOf(
  { id, text, evidence }: Requirement,
  titlesOf: (file: string) => Set<string>,
): string | undefined {
  if (text.trim() === '') return `${id}: no text`
  if (!evidence.file.endsWith('.test.ts')) return `${id}: ${evidence.file} is no test file`
  const found = titlesOf(evidence.file)
  if (found.size === 0) return `${id}: no tests in ${evidence.file}`
  return found.has(evidence.title) ? undefined : `${id}: ${evidence.file} has no test "${evidence.title}"`
}

test('requirements: every promise is held by a test that exists', () => {
  assert.deepEqual(
    REQUIREMENTS.map((one) => problemOf(one, titlesOf)).filter((problem) => problem !== undefined),
    [],
  )
})

test('requirements: every section has a promise, and no id is used twice', () => {
  const sections = new Set(REQUIREMENTS.map(({ section }) => section))
  assert.deepEqual(
    SECTIONS.filter((section) => !sections.has(section)),
    [],
  )
  const ids = REQUIREMENTS.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  )
})

test('requirements: the check finds missing files and missing titles', () => {
  const source = [
    "test('a b', () => {})",
    "test(\n  'long ' +\n    'title',\n  () => {})",
    'await t.test(`${x}: c`, f)',
    'it("it\'s", f)',
  ].join('\n')
  assert.deepEqual([...titlesIn(source)], ['a b', 'long title', '${x}: c', "it's"])
  const row = (evidence: Requirement['evidence']) =>
    problemOf({ id: 'x', section: 'Purpose', text: 'A promise.', evidence }, (file) =>
      file === 'a.test.ts' ? titlesIn(source) : new Set(),
    )
  assert.equal(row({ file: 'a.test.ts', title: 'a b' }), undefined)
  assert.equal(row({ file: 'a.test.ts', title: 'a' }), 'x: a.test.ts has no test "a"')
  assert.equal(row({ file: 'b.test.ts', title: 'a b' }), 'x: no tests in b.test.ts')
  assert.equal(row({ file: 'a.ts', title: 'a b' }), 'x: a.ts is no test file')
})
