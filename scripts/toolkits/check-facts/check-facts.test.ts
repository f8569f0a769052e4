import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ToolkitManifest } from '../../../src/catalog/manifest/format/index.ts'
import { readToolkits } from '../../../src/catalog/manifest/load/read.ts'
import { compareFacts } from './compare.ts'
import { nameOf, readChecked, readKnownDifferences } from './result.ts'
import { type SignInFact, signInFacts } from './sign-in-facts.ts'
import type { StatedFact } from './stated-facts.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'toolkits')
const verdicts = (fact: SignInFact, ...stated: [kind: string, value: string][]) =>
  compareFacts(
    [fact],
    stated.map(([kind, value]): StatedFact => ({ kind, value, source: 'page', tier: 'vendor' })),
  )[0]!.verdict

test('check of facts: URLs agree whatever their case, query and placeholders, and differ in host or path', () => {
  const token = { fact: 'OAUTH2.token_url', value: 'https://{subdomain}.shop.com/oauth/token' }
  assert.equal(verdicts(token, ['token_url', 'https://[shop].shop.com/oauth/token/?v=2']), 'agrees')
  assert.equal(verdicts(token, ['token_url', 'https://x.shop.com/oauth2/token']), 'differs')
  assert.equal(verdicts(token, ['token_url', 'https://x.shop.org/oauth/token']), 'differs')
  assert.equal(verdicts(token, ['authorize_url', 'https://x.shop.com/oauth/token']), 'unstated')
  const base = { fact: 'base_url', value: 'https://api.shop.com/v2' }
  assert.equal(verdicts(base, ['base_url', 'https://api.shop.com']), 'agrees')
  assert.equal(verdicts(base, ['base_url', 'https://api.shop.com/v1']), 'differs')
})

test('check of facts: a credential agrees in its place, and in the word before it where a source can state one', () => {
  const key = { fact: 'API_KEY.credential', value: 'header authorization bearer' }
  assert.equal(verdicts(key, ['credential', 'header authorization bearer']), 'agrees')
  assert.equal(verdicts(key, ['credential', 'header authorization']), 'agrees')
  assert.equal(verdicts(key, ['credential', 'header authorization basic']), 'differs')
  assert.equal(verdicts(key, ['credential', 'query api_key']), 'differs')
})

test('check of facts: the facts of a manifest are its URLs, scopes and the places of its credentials', () => {
  const manifest = {
    base_url: 'https://api.shop.com',
    auth: [
      {
        scheme: 'OAUTH2',
        authorize: { url: 'https://shop.com/oauth' },
        token: { url: 'https://shop.com/token' },
        scopes: { default: ['orders'] },
      },
      { scheme: 'API_KEY', apply: { headers: { 'X-Key': '{generic_api_key}', accept: 'text/plain' } } },
      { scheme: 'BASIC' },
    ],
  } as unknown as ToolkitManifest
  assert.deepEqual(signInFacts(manifest).map(nameOf), [
    'base_url https://api.shop.com',
    'OAUTH2.authorize_url https://shop.com/oauth',
    'OAUTH2.token_url https://shop.com/token',
    'OAUTH2.scope orders',
    'API_KEY.credential header x-key',
    'BASIC.credential header authorization basic',
  ])
})

test('check of facts: each fact of each toolkit was compared as it is now. Run npm run check:facts', async () => {
  const checked = readChecked()
  for (const { slug, toolkit } of readToolkits(FOLDER, [])) {
    const { agrees = {}, unstated = [], differs = [] } = checked.get(slug) ?? {}
    assert.deepEqual(
      [...Object.keys(agrees), ...unstated, ...differs.map(nameOf)].sort(),
      [...new Set(signInFacts(toolkit as ToolkitManifest).map(nameOf))].sort(),
      slug,
    )
  }
})

test('check of facts: each difference from the sources has a reason, and each reason a difference', () => {
  const names = [...readChecked().values()].flatMap(({ slug, differs }) =>
    differs.map(({ fact }) => `${slug} ${fact}`),
  )
  const known = readKnownDifferences()
  assert.deepEqual(names.sort(), known.map(({ slug, fact }) => `${slug} ${fact}`).sort())
  assert.deepEqual(
    known.filter(({ reason }) => reason.length < 30),
    [],
  )
})
