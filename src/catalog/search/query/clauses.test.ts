import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verbBits } from './lexicon.ts'
import { readQuery } from './query.ts'

const steps = (text: string): number => readQuery(text).steps.length

test('query: a clause that begins with a verb is a step of its own', () => {
  assert.equal(steps('find the customer and cancel her subscription'), 2)
  assert.equal(steps('list the failed pipelines, get the jobs of the last one and read the log of it'), 3)
  assert.equal(steps('draft the invoice, then send it to the client'), 2)
})

test('query: lists of nouns, and clauses without content, are no steps', () => {
  assert.equal(steps('list files and folders of the team'), 0)
  assert.equal(steps('create and send an invoice'), 0)
  assert.equal(steps('the weather of the next five days'), 0)
  assert.equal(steps('search issues, pull requests and comments'), 0)
})

test('query: a question for several things asks for a list', () => {
  const verbs = (text: string) => readQuery(text).whole.verbs
  assert.equal(verbs('show me all invoices'), verbBits('list', 'search'))
  assert.equal(verbs('which invoices are open'), verbBits('list', 'search'))
  assert.notEqual(verbs('show me the invoice'), verbBits('list', 'search'))
  assert.equal(verbs('delete all invoices'), verbBits('delete'))
  // The word that asks may be at any place of another language.
  assert.equal(verbs('Bei Stripe sind noch welche Rechnungen offen?'), verbBits('list', 'search'))
})

test('query: a step with a pronoun is also about the thing of the step before it', () => {
  const words = (text: string) => readQuery(text).steps.map((step) => step.words)
  assert.deepEqual(words('find the card about the roof and add the price there'), [
    ['find', 'card', 'roof'],
    ['add', 'price', 'card'],
  ])
  assert.deepEqual(words('find the card about the roof and add the price')[1], ['add', 'price'])
  assert.deepEqual(words('look up Ada and tell it today')[1], ['tell', 'today'], 'names are no things')
})
