import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearestName } from './nearest-name.ts'

const TOOLS = ['GMAIL_SEND_EMAIL', 'GMAIL_FETCH_EMAILS', 'GITHUB_CREATE_ISSUE', 'HACKERNEWS_GET_ITEM']

test('nearest name: the name with the fewest edits is returned, in any letter case', () => {
  assert.equal(nearestName('GMAIL_SENDEMAIL', TOOLS), 'GMAIL_SEND_EMAIL')
  assert.equal(nearestName('github_create_an_issue', TOOLS), 'GITHUB_CREATE_ISSUE')
  assert.equal(nearestName('gihub', ['github', 'gitlab']), 'github')
  assert.equal(nearestName('ab', ['abcd', 'abc']), 'abc')
})

test('nearest name: words in another style are the same name, and a name may lack its last word', () => {
  assert.equal(nearestName('auth_scheme', ['type', 'authScheme']), 'authScheme')
  assert.equal(nearestName('aBCDE', ['a_b_c_d_e', 'abc']), 'a_b_c_d_e')
  assert.equal(nearestName('GITHUB_STAR_ADDED', ['GITHUB_STAR_ADDED_EVENT', 'X']), 'GITHUB_STAR_ADDED_EVENT')
  assert.equal(nearestName('GMAIL', ['GMAIL_SEND_EMAIL', 'GMAIL_FETCH_EMAILS']), undefined)
  assert.equal(nearestName('toolkit', ['toolkit_slug', 'query']), 'toolkit_slug')
})

test('nearest name: a name that is far from all others has none', () => {
  assert.equal(nearestName('NO_SUCH_TOOL', TOOLS), undefined)
  assert.equal(nearestName('x', []), undefined)
  assert.equal(nearestName('a'.repeat(65), ['a'.repeat(64)]), undefined)
})

test('nearest name: at most 5,000 names are compared', () => {
  let read = 0
  function* names() {
    for (;;) yield `TOOL_NUMBER_${read++}`
  }
  assert.equal(nearestName('GMAIL_SEND_EMAIL', names()), undefined)
  assert.equal(read, 5_001)
})

test('nearest name: the suggestion is a sentence for the end of a message', () => {
  assert.equal(didYouMean('hackernew', ['hackernews']), ' Did you mean hackernews?')
  assert.equal(didYouMean('unknown', ['hackernews']), '')
})
