import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createToolSearch, indexOf } from '../tool-search.ts'
import { sampleSearchToolkit } from '#fixtures/search-index.ts'
import { createSpelling, editsBetween } from './spelling.ts'

const WORDS = ['create', 'message', 'repository', 'invoice', 'calendar', 'channel', 'subscription']
const spelling = createSpelling(
  WORDS.map((word) => ({ word, weight: 1 })),
  2,
)

test('spelling: swapped, missing, extra and wrong letters are corrected', () => {
  for (const [wrong, right] of [
    ['cretae', 'create'],
    ['mesage', 'message'],
    ['reppository', 'repository'],
    ['invoixe', 'invoice'],
    ['calander', 'calendar'],
    ['hcannel', 'channel'],
    ['subscripton', 'subscription'],
    ['repositry', 'repository'],
  ] as const)
    assert.equal(spelling.nearest(wrong, 2)?.word, right, wrong)
  assert.equal(spelling.nearest('elephant', 2), undefined)
  assert.equal(spelling.nearest('cr'.repeat(40), 2), undefined)
})

test('spelling: every word within one edit is found', () => {
  const letter = fc.constantFrom(...'abcdefgh')
  fc.assert(
    fc.property(
      fc.constantFrom(...WORDS),
      fc.nat(),
      letter,
      fc.constantFrom('insert', 'drop', 'set'),
      (word, n, by, how) => {
        const at = n % word.length
        const wrong =
          word.slice(0, at) + (how === 'drop' ? '' : by) + word.slice(how === 'insert' ? at : at + 1)
        const found = spelling.nearest(wrong, 2)
        assert.ok(found, `${wrong} of ${word}`)
        assert.ok(editsBetween(wrong, found.word, 2) <= 2)
      },
    ),
  )
  assert.deepEqual(
    [editsBetween('ab', 'ba', 2), editsBetween('abc', 'abc', 2), editsBetween('abcd', 'wxyz', 2)],
    [1, 0, 3],
  )
})

const search = createToolSearch(
  indexOf([
    sampleSearchToolkit('boxly', 'Boxly', [
      ['BOXLY_LIST', 'List crates', 'Lists the crates of a warehouse.'],
    ]),
    sampleSearchToolkit('chatter', 'Chatter', [['CHATTER_CREATE', 'Create channel', 'Creates a channel.']]),
  ]),
)
const corrections = (text: string) =>
  search.find(text, { limit: 1 }).corrections.map(({ from, to }) => `${from}: ${to}`)

test('search: misspelt words and application names are corrected, and the result says so', () => {
  assert.deepEqual(corrections('make a chanel with Chattre'), ['chanel: channel', 'chattre: chatter'])
  assert.equal(search.find('make a chanel', { limit: 1 }).tools[0]?.slug, 'CHATTER_CREATE')
})

test('search: a misspelt verb is compared with verbs as they are written, not only with stems of the index', () => {
  const films = createToolSearch(
    indexOf([
      sampleSearchToolkit('filmly', 'Filmly', [
        ['FILMLY_RATE', 'Rate film', 'Rates a film, and passes the rating on.'],
        ['FILMLY_CREATE', 'Create film', 'Creates a film.'],
        ['FILMLY_PAUSE', 'Pause film', 'Pauses a film.'],
      ]),
    ]),
  )
  for (const [text, verb, slug] of [
    ['crate a film', 'create', 'FILMLY_CREATE'],
    ['pasue the film', 'pause', 'FILMLY_PAUSE'],
  ] as const) {
    const { corrections: made, tools } = films.find(text, { limit: 1 })
    assert.deepEqual([made.map(({ to }) => to), tools[0]?.slug], [[verb], slug], text)
  }
})

test('search: identifiers, known words, names of people and other languages are not corrected', () => {
  for (const text of [
    'crate', // a word of the index, although `create` is commoner
    'boxly', // an application
    'chan42nel channl_7', // identifiers
    'show Chanel the warehouse', // a capital in mid-sentence
    'weather', // a word that only the vectors know
    'Lösche den Kannal', // German
  ])
    assert.deepEqual(corrections(text), [], text)
})

test('search: of a text of unknown words at most eight are corrected, and no more are looked up', () => {
  const text = Array.from({ length: 300 }, (_, at) => `chann${String.fromCharCode(97 + (at % 26))}l`).join(
    ' ',
  )
  assert.equal(corrections(text).length, 8)
})
