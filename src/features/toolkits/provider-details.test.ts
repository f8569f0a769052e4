import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCatalog } from '../../catalog/index.ts'
import { providerDetails } from './provider-details.ts'

test('toolkits: OAuth 2, OAuth 1.0a and client credentials name the endpoints of the provider, others none', () => {
  const { toolkits } = openCatalog({ folder: join(import.meta.dirname, '../../../toolkits') })
  const detailsOf = (slug: string, scheme: string) => {
    const schemes = toolkits.find((one) => one.slug === slug)!.manifest.auth
    return providerDetails(schemes.find((one) => one.scheme === scheme)!)
  }
  assert.deepEqual(detailsOf('github', 'OAUTH2'), {
    authorization_url: 'https://github.com/login/oauth/authorize',
    token_url: 'https://github.com/login/oauth/access_token',
  })
  assert.deepEqual(detailsOf('trello', 'OAUTH1'), {
    authorization_url: 'https://trello.com/1/OAuthAuthorizeToken',
    token_url: 'https://trello.com/1/OAuthGetAccessToken',
  })
  assert.equal(detailsOf('trello', 'API_KEY'), undefined)
  assert.deepEqual(providerDetails({ scheme: 'S2S_OAUTH2', token: { url: 'https://id.example/token' } }), {
    authorization_url: '',
    token_url: 'https://id.example/token',
  })
})
