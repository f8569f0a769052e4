import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignInEndpoint } from './sign-in-operations.ts'

const ENDPOINTS = [
  '/oauth/token',
  '/oauth2/token/status',
  '/v1/oauth/token',
  '/oauth/v1/token',
  '/oauth/v3/token/introspect',
  '/auth/oauth2/token',
  '/oauth.access',
  '/oauth.v2.access',
  '/v2/oauth/revoke',
  '/oauth2/deauthorize',
  '/learn/api/public/v1/oauth2/authorizationcode',
  '/v1/oauth/authorize/project-claim',
]
const TOOLS = [
  '/oauth2/applications/@me',
  '/v1/oauth-token',
  '/oauth/tokens',
  '/oauth/clients/{id}',
  '/oauth/grants/{id}',
  '/mcp-servers/{id}/oauth/authorize',
  '/user/tokens',
  '/api/v2/refresh-tokens/revoke',
]

test('generated tools: endpoints of OAuth that connecting an account calls are no tools', () => {
  assert.deepEqual(
    ENDPOINTS.filter((path) => !isSignInEndpoint(path)),
    [],
  )
})

test('generated tools: paths about clients, grants and tokens as objects stay tools', () => {
  assert.deepEqual(TOOLS.filter(isSignInEndpoint), [])
})
