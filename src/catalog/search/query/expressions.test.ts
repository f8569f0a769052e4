import assert from 'node:assert/strict'
import { test } from 'node:test'
import data from '../data/expressions.json' with { type: 'json' }
import { englishTokens } from './expressions.ts'
import { readQuery } from './query.ts'

const textOf = (text: string): string =>
  englishTokens(text)
    .map(({ word }) => word)
    .join(' ')

test('expressions: abbreviations and idioms become words that tools have', () => {
  for (const [text, expected] of [
    ['give the buyer her money back', 'give the buyer her refund'],
    ['pass the report on to Ada', 'forward the report to ada'],
    ['get rid of the old draft', 'delete the old draft'],
    ['kick the spammer out of the group', 'remove the spammer of the group'],
    ['move the call to my tz', 'move the call to my time zone'],
    ['let the whole sales team know', 'send message the whole sales team'],
    ['How many orders came in', 'count orders came in'],
  ] as const)
    assert.equal(textOf(text), expected, text)
})

test('expressions: the words between may be four at most, and at least one', () => {
  assert.equal(textOf('pass on'), 'pass on')
  assert.equal(textOf('pass one two three four on'), 'forward one two three four')
  assert.equal(textOf('pass one two three four five on'), 'pass one two three four five on')
  assert.equal(textOf('money is back'), 'money is back')
  assert.equal(textOf(''), '')
})

test('expressions: requests in other languages and identifiers stay as they are', () => {
  const words = (text: string) => readQuery(text).tokens.map(({ word }) => word)
  assert.deepEqual(words('Lösche die Rechnung des Kunden'), ['delete', 'invoice', 'customer'])
  assert.ok(words('show LIST_TZ and tz_offset').includes('tz'))
  assert.ok(!words('show the tz').includes('tz'))
})

test('expressions: each form is written once, and no form begins or ends with a gap', () => {
  const forms = [...Object.values(data.abbreviations), ...Object.values(data.expressions)].flatMap((list) =>
    list.split(' '),
  )
  assert.deepEqual(
    forms.filter((form, at) => forms.indexOf(form) !== at),
    [],
  )
  for (const form of forms) assert.match(form, /^[a-z0-9]+(-(\*-)?[a-z0-9]+)*$/)
})
