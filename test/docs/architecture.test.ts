import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { page, ROOT } from './markdown.ts'

const FILES_MAX = 20
const { text, blocks } = page('docs/architecture.md')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The numbered files of each `### ` section below `## Reading the code`, by the title of the section. */
function readingLists(markdown: string): ReadonlyMap<string, readonly string[]> {
  const section = markdown.split('\n## ').find((part) => part.startsWith('Reading the code')) ?? ''
  return new Map(
    section
      .split('\n### ')
      .slice(1)
      .map((part) => [
        part.slice(0, part.indexOf('\n')),
        [...part.matchAll(/^\d+\. `([^`]+)`: \S/gm)].map(([, file]) => `src/${file}`),
      ]),
  )
}

/** Files that a source file imports or exports from, by relative paths. */
function importsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)].map(([, path]) =>
    normalize(join(dirname(file), path as string)),
  )
}

const isPassage = (file: string) => file.endsWith('/index.ts') || file.startsWith('src/app/wiring/')

/** Files that `file` imports, directly or through files that only connect parts. */
function reachableFrom(file: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const queue = [...importsOf(file)]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    if (isPassage(next)) queue.push(...importsOf(next))
  }
  return reached
}

/** Names of the steps of an exported list, in order. */
function stepsOf(file: string, list: string): readonly string[] {
  const source = read(file)
  const start = source.indexOf(`export const ${list} = pipeline<`)
  assert.ok(start >= 0, `${file} has no list ${list}`)
  const end = source.indexOf('\n\n', start)
  return [...source.slice(start, end < 0 ? undefined : end).matchAll(/^ {2}\.\w+\((\w+)/gm)].map(
    ([, name]) => name as string,
  )
}

test('architecture: each reading list has at most 20 files, and each file is imported by an earlier one', () => {
  const lists = readingLists(text)
  assert.deepEqual([...lists.keys()], ['A tool call', 'An OAuth callback', 'A polled trigger'])
  for (const [title, files] of lists) {
    assert.ok(files.length > 10 && files.length <= FILES_MAX, `${title} has ${files.length} files`)
    assert.deepEqual(
      files.filter((file) => !existsSync(join(ROOT, file))),
      [],
      `${title} names files that do not exist`,
    )
    const reachable = files.map(reachableFrom)
    const unreachable = files.filter(
      (file, index) => index > 0 && !reachable.slice(0, index).some((reached) => reached.has(file)),
    )
    assert.deepEqual(unreachable, [], `${title} names files that no earlier one imports`)
  }
})

test('architecture: the steps on the page are those of the code, in the same order', () => {
  const onPage = blocks.filter(({ words }) => words[0]?.startsWith('src/'))
  assert.deepEqual(
    onPage.map(({ words }) => words[1]),
    ['executeTool', 'handleCallback'],
  )
  for (const { words, text: names } of onPage) {
    const [file = '', list = ''] = words
    assert.deepEqual(names.split(/,\s*/), stepsOf(file, list), `${file} ${list}`)
  }
})

test('architecture: a list of files that are steps has the order of the steps', () => {
  const lists = readingLists(text)
  const cases = [
    ['A tool call', 'src/engine/execute.ts', 'executeTool'],
    ['An OAuth callback', 'src/features/connected-accounts/authorization-flow/callback.ts', 'handleCallback'],
  ] as const
  for (const [title, file, list] of cases) {
    const source = read(file)
    const steps = stepsOf(file, list)
    // A line with `finally` runs after the others, so the file of `logOutcome` comes last.
    const runsLast = [...source.matchAll(/^ {2}\.finally\((\w+)/gm)].map(([, name]) => name)
    const stepFiles = (lists.get(title) ?? []).filter((path) => /\/(pipeline|steps)\/[^/]+\.ts$/.test(path))
    const positions = stepFiles.map((path) => {
      const exported = [...read(path).matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(
        ([, name]) => name as string,
      )
      const used = exported.filter((name) => steps.includes(name))
      assert.notEqual(used.length, 0, `${path} has no step of ${list}`)
      return Math.min(...used.map((name) => (runsLast.includes(name) ? Infinity : steps.indexOf(name))))
    })
    assert.deepEqual(
      positions,
      [...positions].sort((a, b) => a - b),
      title,
    )
  }
})

test('architecture: every place for a change exists', () => {
  const rows = (text.split('## Where to make a change')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  assert.ok(rows.length > 20)
  const places = rows.flatMap((row) =>
    [...row.matchAll(/`([\w./<>-]+)`/g)]
      .map(([, place]) => place as string)
      .filter((place) => place.includes('/')),
  )
  const exists = (place: string) => {
    const pattern = place.replace(/<[^>]+>/g, '*')
    return [pattern, `src/${pattern}`].some((path) => globSync(path, { cwd: ROOT }).length > 0)
  }
  assert.deepEqual(
    places.filter((place) => !exists(place)),
    [],
  )
})
