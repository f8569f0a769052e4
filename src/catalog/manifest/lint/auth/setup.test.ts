import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../load/load.ts'

const oauth = (more: Record<string, unknown>) => ({
  scheme: 'OAUTH2',
  authorize: { url: 'https://shop.example/authorize' },
  token: { url: 'https://shop.example/token' },
  refresh: { rotates: 'never' },
  ...more,
})

function problems(auth: Record<string, unknown>): string {
  try {
    catalogFromSources([sampleSource({ base_url: 'https://shop.example/api', auth: [auth] }, [sampleTool()])])
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('setup: steps may name the redirect URI and the scopes, and nothing else', () => {
  const scopes = { available: ['orders'], descriptions: { orders: 'Read your orders' } }
  const setup = { console_url: 'https://shop.example/apps', steps: ['Paste {redirect_uri}', 'Add {scopes}'] }
  assert.equal(problems(oauth({ scopes, setup })), '')
  assert.match(
    problems(oauth({ setup: { steps: ['Paste {token}'] } })),
    /setup\/steps\/0: `\{token\}` is unknown; use/,
  )
  assert.match(problems(oauth({ setup: { steps: ['Add {scopes}'] } })), /the scheme declares no scopes/)
  assert.match(
    problems({ scheme: 'BEARER_TOKEN', setup: { steps: ['Paste {redirect_uri}'] } }),
    /BEARER_TOKEN has no redirect/,
  )
})

test('setup: a page of the vendor is https, a guide has steps, and a scope is described in a sentence', () => {
  assert.match(
    problems(oauth({ setup: { console_url: 'javascript:alert(1)', steps: ['Click.'] } })),
    /auth\/0\/setup\/console_url/,
  )
  assert.match(problems(oauth({ setup: { steps: [] } })), /auth\/0\/setup\/steps/)
  const described = (descriptions: Record<string, string>) =>
    problems(oauth({ scopes: { available: ['a/b'], descriptions } }))
  assert.match(described({ 'a/c': 'Read all' }), /descriptions\/a~1c: describes a scope that/)
  assert.match(described({ 'a/b': 'read all' }), /descriptions\/a~1b/)
  assert.match(described({ 'a/b': 'Read all.' }), /descriptions\/a~1b/)
})
