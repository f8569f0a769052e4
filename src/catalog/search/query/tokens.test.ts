import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stem, tokensOf, wordsOf } from './tokens.ts'

test('tokens: stems follow Porter 2', () => {
  for (const [word, expected] of [
    ['consignment', 'consign'],
    ['knightly', 'knight'],
    ['generously', 'generous'],
    ['issues', 'issu'],
    ['skies', 'sky'],
    ['dying', 'die'],
    ['proceed', 'proceed'],
    ['at', 'at'],
  ] as const)
    assert.equal(stem(word), expected)
})

test('tokens: text is split at camel case and underscores, without accents and stop words', () => {
  assert.deepEqual(wordsOf('createPullRequest for the user_id'), ['creat', 'pull', 'request', 'user', 'id'])
  assert.deepEqual(wordsOf('Café ﬁles Ｗｉｄｅ'), ['cafe', 'file', 'wide'])
  assert.deepEqual(wordsOf('HTTPServer v2'), ['http', 'server', 'httpserver', 'v2'])
  assert.deepEqual(wordsOf('GitHub'), ['git', 'hub', 'github'], 'a name of two parts is also one word')
  assert.deepEqual(wordsOf('the of and'), [])
  assert.deepEqual(wordsOf('天気予報 を'), ['天気', '気予', '予報', 'を'])
  assert.deepEqual(wordsOf('GitHubに天気'), ['git', 'hub', 'github', 'に天', '天気'], 'a Latin word is whole')
  assert.deepEqual(wordsOf('PRs MRs URLs of DMs'), ['pr', 'mr', 'url', 'dm'], 'abbreviations in the plural')
  assert.deepEqual(wordsOf("what's Anna’s file, isn't it"), ['anna', 'file'], 'contractions leave no letter')
  assert.deepEqual(wordsOf('constructor __proto__ hasOwnProperty'), ['constructor', 'proto', 'properti'])
})

test('tokens: capital letters and joined words are marked', () => {
  assert.deepEqual(
    tokensOf('in Slack youTube YouTube').map(({ word, capital, isJoined }) => [word, capital, isJoined]),
    [
      ['in', false, false],
      ['slack', true, false],
      ['you', false, false],
      ['tube', false, false],
      ['you', true, false],
      ['tube', true, false],
      ['youtube', true, true],
    ],
  )
})

test('tokens: any text is tokenized, also a long text without spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) =>
      wordsOf(text).every((word) => word.length > 0),
    ),
  )
  assert.deepEqual(wordsOf('a'.repeat(100_000)), [], 'no word is that long')
  assert.ok(wordsOf('aB'.repeat(50_000)).length <= 20_000)
  assert.ok(wordsOf('\ud800 lone 👩‍👩‍👧').includes('lone'))
})
