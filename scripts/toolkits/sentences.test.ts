import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { OperationsFile } from '../../src/catalog/manifest/load/operations/index.ts'
import { OPERATION_FILE, readOperationFile } from './operation-files/index.ts'
import { namesOfSentence } from './sentence-names.ts'
import { readSentences, requireTools, sentenceFaults } from './sentences.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')

test('sentences: a sentence begins with a verb, ends with a full stop and has a limited length', () => {
  assert.deepEqual(sentenceFaults('Generates a new key for the calendar feed of a board.'), [])
  assert.deepEqual(sentenceFaults('Generate a key'), [
    'does not begin with a verb in the third person',
    'does not end with a full stop',
  ])
  assert.deepEqual(sentenceFaults(`Adds ${'x'.repeat(400)}.`), ['does not have 12 to 320 characters'])
  assert.deepEqual(sentenceFaults('Adds  two spaces.'), ['has more than one space'])
  assert.deepEqual(sentenceFaults(12), ['is no text'])
})

test('sentences: the name of a tool is its sentence as a command, without the explanation', () => {
  for (const [sentence, name] of [
    ['Returns the board of a card.', 'Get the board of a card'],
    ['Copies a file, with its permissions.', 'Copy a file'],
    ['Publishes a page that is a draft.', 'Publish a page'],
    ['Closes an issue.', 'Close an issue'],
    ['Undoes the deletion of a record.', 'Undo the deletion of a record'],
    ['Matches customers (by e-mail).', 'Match customers'],
    ['Pays an invoice. The customer is charged.', 'Pay an invoice'],
  ] as const)
    assert.equal(namesOfSentence(sentence, 'Shop')[0], name)
})

test('sentences: one without a tool is reported, and a tool without one', () => {
  const sentences = { A_B: 'Adds a b to c.' }
  const require = (slugs: string[]) => requireTools('sentences.json', sentences, new Set(slugs))
  require(['A_B'])
  assert.throws(() => require(['A_C']), /no generated tool has the slug A_B/)
  assert.throws(() => require(['A_B', 'A_C']), /write a sentence for A_C/)
  assert.doesNotThrow(() => requireTools('sentences.json', {}, new Set(['A_C'])))
})

test('sentences: two tools of a toolkit do not share one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sentences-'))
  try {
    const file = join(folder, 'sentences.json')
    writeFileSync(file, JSON.stringify({ A_B: 'Adds a b to c.', A_C: 'Adds a b to c.' }))
    assert.throws(() => readSentences(file), /A_B, A_C have the same sentence/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('sentences: those of every toolkit follow the rules, and each generated tool has one', () => {
  const files = globSync('*/sentences.json', { cwd: FOLDER })
  assert.ok(files.length > 50, `${files.length} toolkits have sentences`)
  for (const file of files) {
    const folder = join(FOLDER, dirname(file))
    const { entries } = OperationsFile.open(join(folder, 'operations.bin'))
    const stated = new Set(
      readOperationFile(join(folder, OPERATION_FILE))?.operations.map(({ slug }) => slug),
    )
    const slugs = entries.map(({ slug }) => slug).filter((slug) => !stated.has(slug))
    requireTools(file, readSentences(join(FOLDER, file)), new Set(slugs))
  }
})
