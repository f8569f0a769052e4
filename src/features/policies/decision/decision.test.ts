import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { catalogFromSources, type ResolvedTool } from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import type { ArgumentTest, Outcome, PolicyCondition } from '../../../contract/policies/index.ts'
import { createProxyTool } from '../../../engine/index.ts'
import { compileArgumentTest } from './argument-tests.ts'
import {
  compileConditions,
  evaluatePolicies,
  type CallFacts,
  type CompiledPolicy,
} from './evaluate-policies.ts'
import { permissionModeByTags, permissionMode } from './session-permissions.ts'
import type { Truth } from './three-valued-logic.ts'

const catalog = catalogFromSources([
  sampleSource({}, [
    sampleTool(),
    sampleTool({
      slug: 'SHOP_REFUND',
      aliases: ['SHOP_PAY_BACK'],
      effect: 'create',
      request: { method: 'POST', path: '/refunds/{id}' },
    }),
    sampleTool({ slug: 'SHOP_DROP', effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }),
  ]),
])
const tool = (slug: string): ResolvedTool => catalog.tool(slug, 'latest')!
const shop = catalog.toolkit('shop')!
const call = (slug: string, more: Partial<CallFacts> = {}): CallFacts =>
  slug === 'PROXY_EXECUTE'
    ? {
        ...call('SHOP_REFUND'),
        resolvedTool: { toolkit: shop, version: shop.version, tool: createProxyTool(shop, 'POST') },
        isProxy: true,
        ...more,
      }
    : {
        catalog,
        resolvedTool: tool(slug),
        isProxy: false,
        arguments: {},
        userId: 'u1',
        accountId: 'ca_1',
        sessionId: null,
        sources: undefined,
        ...more,
      }
let numbered = 0
const rule = (
  outcome: Outcome,
  when: PolicyCondition = {},
  more: Partial<CompiledPolicy> = {},
): CompiledPolicy => ({
  id: `pol_${++numbered}`,
  name: 'n',
  outcome,
  fallback: false,
  message: null,
  coversProxy: true,
  approvalSeconds: 600,
  untrustedContent: when.untrusted_content,
  approvalLink: true,
  appliesTo: compileConditions(when),
  ...more,
})

test('policies: the strictest policy decides in any order, and fallbacks apply only without another one', () => {
  const [allow, ask, deny] = [rule('allow'), rule('ask'), rule('deny')]
  const otherwise = rule('deny', {}, { fallback: true })
  const reads = rule('allow', { hints: ['readOnlyHint'] })
  for (const [rules, slug, expected] of [
    [[], 'SHOP_DROP', 'allow'],
    [[allow], 'SHOP_DROP', 'allow'],
    [[allow, ask], 'SHOP_DROP', 'ask'],
    [[deny, ask, allow], 'SHOP_DROP', 'deny'],
    [[otherwise], 'SHOP_DROP', 'deny'],
    [[otherwise, reads], 'SHOP_GET_ORDER', 'allow'],
    [[otherwise, reads], 'SHOP_DROP', 'deny'],
    [[otherwise, ask], 'SHOP_DROP', 'ask'],
    [[rule('ask', {}, { fallback: true }), rule('allow', {}, { fallback: true })], 'SHOP_DROP', 'ask'],
  ] as [CompiledPolicy[], string, Outcome][]) {
    assert.equal(evaluatePolicies(rules, call(slug)).outcome, expected)
    assert.equal(evaluatePolicies(rules.toReversed(), call(slug)).outcome, expected, 'order does not matter')
  }
})

test('policies: a policy applies if all of its conditions match', () => {
  for (const [when, slug, more, expected] of [
    [{}, 'SHOP_DROP', {}, 'yes'],
    [{ tools: ['shop_drop'] }, 'SHOP_DROP', {}, 'yes'],
    [{ tools: ['SHOP_PAY_BACK'] }, 'SHOP_REFUND', {}, 'yes'],
    [{ tools: ['SHOP_DROP'] }, 'SHOP_REFUND', {}, 'no'],
    [{ toolkits: ['SHOP'] }, 'SHOP_DROP', {}, 'yes'],
    [{ toolkits: ['gmail'] }, 'SHOP_DROP', {}, 'no'],
    [{ hints: ['destructiveHint', 'updateHint'] }, 'SHOP_DROP', {}, 'yes'],
    [{ hints: ['destructiveHint'] }, 'SHOP_GET_ORDER', {}, 'no'],
    [{ user_ids: ['u1'] }, 'SHOP_DROP', {}, 'yes'],
    [{ user_ids: ['u2'] }, 'SHOP_DROP', {}, 'no'],
    [{ user_ids: ['u1'] }, 'SHOP_DROP', { userId: null }, 'no'],
    [{ connected_account_ids: ['ca_1'] }, 'SHOP_DROP', {}, 'yes'],
    [{ connected_account_ids: ['ca_1'] }, 'SHOP_DROP', { accountId: null }, 'no'],
    [{ session_ids: ['trs_1'] }, 'SHOP_DROP', {}, 'no'],
    [{ session_ids: ['trs_1'] }, 'SHOP_DROP', { sessionId: 'trs_1' }, 'yes'],
    [
      { tools: ['SHOP_REFUND'], arguments: [{ path: 'amount', above: 100 }] },
      'SHOP_REFUND',
      { arguments: { amount: 101 } },
      'yes',
    ],
    [
      { tools: ['SHOP_REFUND'], arguments: [{ path: 'amount', above: 100 }] },
      'SHOP_REFUND',
      { arguments: { amount: 100 } },
      'no',
    ],
    // What a request of the caller's own will do is not known.
    [{ tools: ['SHOP_DROP'] }, 'PROXY_EXECUTE', {}, 'maybe'],
    [{ tools: ['GMAIL_SEND_EMAIL'] }, 'PROXY_EXECUTE', {}, 'no'],
    [{ tools: ['PROXY_EXECUTE'] }, 'PROXY_EXECUTE', {}, 'yes'],
    [{ hints: ['readOnlyHint'] }, 'PROXY_EXECUTE', {}, 'maybe'],
    [{ toolkits: ['shop'] }, 'PROXY_EXECUTE', {}, 'yes'],
    [{ toolkits: ['gmail'] }, 'PROXY_EXECUTE', {}, 'no'],
    [{ arguments: [{ path: 'amount', above: 1 }] }, 'PROXY_EXECUTE', {}, 'maybe'],
    [
      { tools: ['PROXY_EXECUTE'], arguments: [{ path: 'method', equals: 'DELETE' }] },
      'PROXY_EXECUTE',
      { arguments: { method: 'GET' } },
      'no',
    ],
  ] as [PolicyCondition, string, Partial<CallFacts>, Truth][])
    assert.equal(compileConditions(when)(call(slug, more)), expected, JSON.stringify([when, slug, more]))
  const drop = rule('deny', { tools: ['SHOP_DROP'] })
  assert.deepEqual(
    [
      drop,
      rule('deny', { tools: ['SHOP_DROP'] }, { coversProxy: false }),
      rule('allow', { tools: ['SHOP_DROP'] }),
    ].map(
      (one) => evaluatePolicies([rule('ask', {}, { fallback: true }), one], call('PROXY_EXECUTE')).outcome,
    ),
    ['deny', 'ask', 'ask'],
  )
})

test('session permissions: tool, then account, then default; a proxy request gets the strictest', () => {
  const overrides = {
    'SHOP_PAY_BACK:ca_1': 'ask_always',
    'SHOP_DROP:ca_1': 'always_deny',
    '*:ca_1': 'always_allow',
    '*:__none__': 'ask_once',
    'SHOP_GET_ORDER:ca_2': 'never_heard_of',
  }
  for (const [permissions, slug, more, expected] of [
    [{}, 'SHOP_DROP', {}, 'allow'],
    [{ default: 'allow_all' }, 'SHOP_DROP', {}, 'allow'],
    [{ default: 'ask_every_call' }, 'SHOP_DROP', {}, 'ask_always'],
    [{ default: 'ask_once_per_session' }, 'SHOP_DROP', {}, 'ask_once'],
    [{ default: 'whatever' }, 'SHOP_DROP', {}, 'ask_always'],
    [{ default: 'ask_every_call', overrides }, 'SHOP_GET_ORDER', {}, 'allow'],
    [{ overrides }, 'SHOP_REFUND', {}, 'ask_always'],
    [{ overrides }, 'SHOP_DROP', {}, 'deny'],
    [{ overrides }, 'SHOP_DROP', { accountId: 'ca_2' }, 'allow'],
    [{ default: 'ask_every_call', overrides }, 'SHOP_DROP', { accountId: 'ca_2' }, 'ask_always'],
    [{ overrides }, 'SHOP_DROP', { accountId: null }, 'ask_once'],
    [{ overrides }, 'SHOP_GET_ORDER', { accountId: 'ca_2' }, 'ask_always'],
    [{ overrides }, 'PROXY_EXECUTE', {}, 'deny'],
    [{ overrides: { ...overrides, 'PROXY_EXECUTE:ca_1': 'ask_once' } }, 'PROXY_EXECUTE', {}, 'ask_once'],
    [{ default: 'ask_once_per_session' }, 'PROXY_EXECUTE', {}, 'ask_once'],
  ] as [Parameters<typeof permissionMode>[0], string, Partial<CallFacts>, string][])
    assert.equal(
      permissionMode(permissions, call(slug, more)),
      expected,
      JSON.stringify([permissions, slug, more]),
    )
})

test('session permissions: require_approval tags ask for matching tools and for every proxy request', () => {
  for (const [asks, slug, expected] of [
    [{ all: null, toolkits: null }, 'SHOP_DROP', 'allow'],
    [{ all: ['destructiveHint'], toolkits: null }, 'SHOP_DROP', 'ask_always'],
    [{ all: ['destructiveHint'], toolkits: null }, 'SHOP_GET_ORDER', 'allow'],
    [{ all: ['destructiveHint'], toolkits: null }, 'PROXY_EXECUTE', 'ask_always'],
    [{ all: null, toolkits: { shop: ['readOnlyHint'] } }, 'SHOP_GET_ORDER', 'ask_always'],
    [{ all: null, toolkits: { gmail: ['readOnlyHint'] } }, 'SHOP_GET_ORDER', 'allow'],
    [{ all: null, toolkits: { gmail: ['readOnlyHint'] } }, 'PROXY_EXECUTE', 'allow'],
  ] as [Parameters<typeof permissionModeByTags>[0], string, string][])
    assert.equal(permissionModeByTags(asks, call(slug)), expected, JSON.stringify([asks, slug]))
})

const OUTSIDE = { path: 'to', outside: ['example.com', 'boss@other.example', '#general'] }
const DEEP = Array.from({ length: 2_000 }, () => null) as unknown[]
const ARGUMENT_TESTS: readonly [ArgumentTest, Record<string, unknown>, Truth][] = [
  [{ path: 'a.b', equals: 7 }, { a: { b: 7 } }, 'yes'],
  [{ path: 'a.b', equals: 7 }, { a: { b: '7' } }, 'no'],
  [{ path: 'a', one_of: ['x', 'y'] }, { a: 'y' }, 'yes'],
  [{ path: 'a', contains: 'ecre' }, { a: 'secret' }, 'yes'],
  [{ path: 'a', equals: 'x' }, { a: ['x', 'x'] }, 'yes'],
  [{ path: 'a', equals: 'x' }, { a: ['x', 'y'] }, 'maybe'],
  [{ path: 'a', equals: 'x' }, { a: ['z', 'y'] }, 'no'],
  [{ path: 'a', equals: 'x' }, {}, 'no'],
  [{ path: 'a', equals: 'x' }, { a: [...DEEP, 'x'] }, 'yes'],
  [{ path: 'a', exists: true }, { a: false }, 'yes'],
  [{ path: 'a', exists: true }, { a: null }, 'no'],
  [{ path: 'a', exists: false }, {}, 'yes'],
  [{ path: 'a', exists: false }, { a: 1 }, 'no'],
  [{ path: '__proto__', exists: true }, {}, 'no'],
  [{ path: 'n', above: 100 }, { n: 100.5 }, 'yes'],
  [{ path: 'n', above: 100 }, { n: ' 250 ' }, 'yes'],
  [{ path: 'n', above: 100 }, { n: '1,000' }, 'maybe'],
  [{ path: 'n', above: 100 }, { n: { value: 1 } }, 'maybe'],
  [{ path: 'n', above: 100 }, {}, 'no'],
  [{ path: 'n', above: 1, below: 5 }, { n: 3 }, 'yes'],
  [{ path: 'n', above: 1, below: 5 }, { n: 5 }, 'no'],
  [{ path: 'items[].price', above: 10 }, { items: [{ price: 1 }, { price: 11 }] }, 'maybe'],
  [{ path: 'items[].price', above: 10 }, { items: [{ price: 12 }, { price: 11 }] }, 'yes'],
  [OUTSIDE, { to: 'Ann <ann@Example.com>' }, 'no'],
  [OUTSIDE, { to: 'ann@example.com, eve@evil.example' }, 'maybe'],
  [OUTSIDE, { to: ['eve@evil.example'] }, 'yes'],
  [OUTSIDE, { to: 'boss@other.example' }, 'no'],
  [OUTSIDE, { to: 'x@other.example' }, 'yes'],
  [OUTSIDE, { to: '#general' }, 'no'],
  [OUTSIDE, { to: 'C0123' }, 'yes'],
  [OUTSIDE, { to: 'a@example.com@evil.example' }, 'yes'],
  [OUTSIDE, { to: 'a@evil.example@example.com' }, 'yes'],
  [OUTSIDE, { to: '"eve@evil.example" <a@example.com>' }, 'maybe'],
  [OUTSIDE, { to: '"Doe, Ann" <ann@example.com>' }, 'no'],
  [OUTSIDE, { to: 'eve\uff20evil.example' }, 'yes'],
  [OUTSIDE, { to: 'a@sub.example.com' }, 'yes'],
  [OUTSIDE, { to: '@example.com' }, 'yes'],
  [OUTSIDE, { to: '' }, 'maybe'],
  [OUTSIDE, { to: { email: 'x' } }, 'maybe'],
  [OUTSIDE, {}, 'no'],
  [OUTSIDE, { to: `${'a'.repeat(30_000)}@example.com` }, 'maybe'],
  [OUTSIDE, { to: Array.from({ length: 1_500 }, () => 'a@example.com') }, 'maybe'],
  [{ path: 'to', within: ['example.com'] }, { to: 'a@example.com; b@example.com' }, 'yes'],
  [{ path: 'to', within: ['example.com'] }, { to: ['a@example.com', 'b@evil.example'] }, 'maybe'],
  [{ path: 'to', within: ['@Example.com'] }, { to: 'eve@evil.example' }, 'no'],
  [{ path: 'to[].email', within: ['example.com'] }, { to: [{ email: 'a@example.com' }, {}] }, 'yes'],
]

test('argument tests: values, lists, amounts and recipients are yes, no or maybe', () => {
  for (const [condition, args, expected] of ARGUMENT_TESTS)
    assert.equal(
      compileArgumentTest(condition)(args),
      expected,
      JSON.stringify([condition, args]).slice(0, 200),
    )
})

test('argument tests: random arguments get a result, and `within` never matches another recipient', () => {
  const tests = [
    { path: 'a', above: 1 },
    { path: 'a', outside: ['example.com'] },
    { path: 'a[].b', contains: 'x' },
    { path: '$', exists: true },
  ].map(compileArgumentTest)
  fc.assert(
    fc.property(fc.jsonValue(), (a) => {
      for (const one of tests) assert.ok(['yes', 'maybe', 'no'].includes(one({ a })))
    }),
    { numRuns: 300 },
  )
  const within = compileArgumentTest({ path: 'to', within: ['example.com'] })
  const noise = fc.stringMatching(/^[ ,;<>"'()a-z@.]{0,12}$/)
  fc.assert(
    fc.property(noise, noise, (before, after) =>
      assert.notEqual(within({ to: `${before} eve@evil.example ${after}` }), 'yes'),
    ),
    { numRuns: 500 },
  )
})
