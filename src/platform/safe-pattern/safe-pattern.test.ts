import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsSoon } from '#fixtures/ends-within.ts'
import * as fc from 'fast-check'
import { compileSafePattern, findPatternFault, matchesPattern, PATTERN_TEXT_MAX } from './index.ts'

/** Time within which one pattern must be decided on a loaded machine. */

test('safe patterns: the patterns of the shipped toolkits are supported and match as RegExp does', () => {
  const cases: [string, string[], string[]][] = [
    ['^https?://[^\\s/?#]+(/[^\\s?#]*[^\\s/?#])?$', ['https://a.example/b/c'], ['ftp://a', 'https://a/']],
    ['^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$', ['a', 'my-site'], ['-a', 'a-', 'a.b']],
    ['^https://[A-Za-z0-9.-]+\\.(x\\.com|x\\.mil|s\\.cn)$', ['https://a.b.x.com'], ['https://x.com.evil']],
    ['^[^\\s/]+@[^\\s/]+$', ['a@b.example'], ['a', 'a b@c']],
    ['^[a-z]{2,3}(-[a-z]+){0,3}$', ['de', 'zh-min-nan'], ['d', 'de-']],
    ['^(sk|rk)_\\S+$', ['sk_1', 'rk_test_2'], ['pk_1', 'sk_ 1']],
    ['Retry after ([^\\sZ]+Z)', ['Please. Retry after 2026-11-22T10:00:00Z.'], ['Retry later']],
    ['/query/([A-Za-z0-9-]+)$', ['/services/data/query/01g-2000'], ['/query/']],
    ['^(|/.*|id:.*)$', ['', '/a', 'id:1'], ['a']],
    ['^é[\\]\\-\\d]{2}$', ['é1]', 'é--'], ['e11']],
  ]
  for (const [pattern, matching, other] of cases) {
    for (const text of matching) assert.ok(matchesPattern(pattern, text), `${pattern} matches ${text}`)
    for (const text of other) assert.ok(!matchesPattern(pattern, text), `${pattern} does not match ${text}`)
  }
  assert.ok(
    matchesPattern('retry after ([^\\sZ]+Z)', 'Retry after 2026-11-22T10:00:00z', { ignoreCase: true }),
  )
  assert.equal(compileSafePattern('/query/([a-z]+)$').firstGroup('x/query/abc'), 'abc')
  assert.ok(matchesPattern('[a-z]+\\.example', 'a.example', { whole: true }))
  assert.ok(!matchesPattern('[a-z]+\\.example', 'evil/a.example', { whole: true }))
})

test('safe patterns: a pattern that can take exponential or polynomial time is rejected', () => {
  const patterns = [
    '^(a|a)*$',
    '^(a+)+$',
    '^(a+){1,30}$',
    '^(?:a|a){0,60}$',
    '^(a?){50}a$',
    '^((a?)?)?$',
    '^(?:|a?)(?:|a?)$',
    '^(.*)*$',
    '^([a-z]+)*$',
    '^(a|ab)(a|ab|c)*$|x',
    '^(\\w+\\s?)*$',
    '^.*.*.*.*$',
    '^\\S*\\S*=$',
    '.*.*x',
    `^${'(?:a|a)'.repeat(25)}$`,
    `^${'a?'.repeat(60)}$`,
    '^(a)\\1$',
    '^(?=a)b$',
    '^(?<n>a)$',
    '^\\bfoo$',
    '^\\p{L}+$',
    `^${'a'.repeat(200)}$`,
    '(',
    '[z-a]',
    'a**',
    'a{2',
    'a{5,2}',
    '^a$|^b$',
    `${'('.repeat(40)}a${')'.repeat(40)}`,
  ]
  for (const pattern of patterns) assert.ok(findPatternFault(pattern), `${pattern} must be rejected`)
  assert.match(findPatternFault('^(k|\u212a)*$', { ignoreCase: true })!, /several ways/)
  assert.match(findPatternFault('^(a|A)*$', { ignoreCase: true })!, /several ways/)
  assert.equal(findPatternFault('^(a|A)*$'), undefined)
})

test('safe patterns: a pattern with one way to match has no limit of the text', () => {
  const text = 'a'.repeat(2_000_000)
  endsSoon('a text of two megabytes', () => {
    assert.ok(matchesPattern('^[a-z]+$', text))
    assert.ok(!matchesPattern('^[a-z]+$', `${text}!`))
  })
})

test('safe patterns: an unsupported pattern matches nothing, and a longer text does not match', () => {
  assert.equal(matchesPattern('^(a|a)*$', 'a'), false)
  assert.equal(matchesPattern('^a+a$', 'a'.repeat(PATTERN_TEXT_MAX)), true)
  assert.equal(matchesPattern('^a+a$', 'a'.repeat(PATTERN_TEXT_MAX + 1)), false)
})

/** Patterns over few characters, so that their parts overlap often. */
const patternText = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', '[ab]', '.', '\\w', '[^b]', 'é'),
    tie('node').map((node) => `(${node})`),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
  ),
  node: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '?', '*', '+', '{2}', '{0,9}', '+?')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.flat().join('')),
})).node

test('safe patterns: any pattern is decided, and an accepted one is matched with the worst text, without backtracking for ever', () => {
  const repeated = fc.constantFrom('a', 'b', 'ab', 'aab', 'é', 'aé')
  fc.assert(
    fc.property(patternText, repeated, fc.boolean(), (body, unit, anchored) => {
      const pattern = anchored ? `^${body}$` : body
      const text = unit.repeat(PATTERN_TEXT_MAX).slice(0, PATTERN_TEXT_MAX - 1)
      for (const end of ['', '!']) endsSoon(pattern, () => matchesPattern(pattern, text + end))
    }),
    { numRuns: 3_000 },
  )
})

test('safe patterns: an accepted pattern gives the result of RegExp', () => {
  fc.assert(
    fc.property(
      patternText,
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 8 }),
      (body, text) => {
        fc.pre(findPatternFault(body, { whole: true }) === undefined)
        assert.equal(matchesPattern(body, text, { whole: true }), new RegExp(`^(?:${body})$`, 'u').test(text))
      },
    ),
    { numRuns: 2_000 },
  )
})
