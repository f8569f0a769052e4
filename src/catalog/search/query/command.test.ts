import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from './command.ts'
import { readQuery } from './query.ts'

const wordsOf = (text: string) => commandOf(readQuery(text), new Set(['slack'])).words

test('command: the words after the verb end at the first preposition, in every language', () => {
  assert.deepEqual(wordsOf('add a label to the issue'), ['add', 'label'])
  assert.deepEqual(wordsOf('please delete the calendar event in Slack'), ['delet', 'calendar', 'event'])
  assert.deepEqual(wordsOf('Supprime le dossier des factures'), ['delet', 'folder'])
  assert.deepEqual(wordsOf('Crea un cupón en Stripe'), ['creat', 'discount'])
  assert.deepEqual(wordsOf('リポジトリを削除して'), ['delet', 'repositori'])
})

test('command: statements and questions are no commands', () => {
  for (const text of [
    'my reply should disappear',
    'I deleted it by mistake',
    'mails I sent',
    'the draft is fine',
  ])
    assert.deepEqual(wordsOf(text), [], text)
  assert.deepEqual(wordsOf('can you delete the reply'), ['delet', 'repli'])
})

test('command: an indefinite article, or a verb that makes something, asks for a kind of thing', () => {
  const isIndefinite = (text: string) => commandOf(readQuery(text), new Set()).isIndefinite
  assert.ok(isIndefinite('add a label'))
  assert.ok(isIndefinite('create labels'))
  assert.ok(isIndefinite('Ajoute un canal'))
  assert.ok(!isIndefinite('delete the label in a board'))
})
