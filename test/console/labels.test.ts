import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemeName } from '../../src/contract/scheme-names.ts'
import { AUTH_SCHEMES } from '../../src/contract/schemes.ts'
import { labelOf } from '../../src/console/components/label.ts'
import { categoryName } from '../../src/console/pages/applications/category-name.ts'
import { browserName } from '../../src/console/pages/settings/browser-name.ts'

test('console: categories are labels, with abbreviations as people write them', () => {
  const names = [
    'payments',
    'developer tools',
    'crm',
    'ai machine learning',
    'b2b sales intelligence',
    'dns services',
  ]
  assert.deepEqual(names.map(categoryName), [
    'Payments',
    'Developer tools',
    'CRM',
    'AI machine learning',
    'B2B sales intelligence',
    'DNS services',
  ])
})

test('console: every auth scheme has a name for people', () => {
  assert.deepEqual(['OAUTH2', 'API_KEY', 'BEARER_TOKEN'].map(schemeName), [
    'OAuth 2.0',
    'API key',
    'Access token',
  ])
  for (const scheme of AUTH_SCHEMES) assert.doesNotMatch(schemeName(scheme), /_|[A-Z]{5}/, scheme)
})

test('console: groups of the API reference are words', () => {
  assert.deepEqual(['tools', 'orgKeys', 'mcpServers', 'sso', 'ssoProviders', 'projectConfig'].map(labelOf), [
    'Tools',
    'Org keys',
    'MCP servers',
    'SSO',
    'SSO providers',
    'Project config',
  ])
})

test('console: a session is named by browser and system', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const agents = [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Safari/604.1',
    'curl/8.14.1',
    `agent ${'x'.repeat(200)}`,
  ]
  assert.deepEqual(agents.map(browserName), [
    'Chrome on Linux',
    'Edge on Windows',
    'Firefox on macOS',
    'Safari on iOS',
    'curl',
    `agent ${'x'.repeat(74)}`,
  ])
})
