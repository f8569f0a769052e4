import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGatewayHeaders } from './call-request.ts'

test('attack: x-llm-gateway-headers cannot replace the authorization or choose a route', () => {
  const allowed = ['x-team', 'x-tags-*']
  const names = [
    'authorization',
    'Authorization',
    'x-api-key',
    'api-key',
    'x-provider',
    'x-team-2',
    'host',
    'cookie',
  ]
  for (const name of names)
    assert.throws(
      () => readGatewayHeaders(JSON.stringify({ 'x-team': 'a', [name]: 'b' }), allowed),
      { status: 400 },
      name,
    )
  assert.throws(
    () => readGatewayHeaders('{"x-team": "a"}', []),
    { status: 400 },
    'nothing is passed on by default',
  )
  assert.deepEqual(readGatewayHeaders('{"X-Team": "a", "x-tags-env": "test"}', allowed), {
    'x-team': 'a',
    'x-tags-env': 'test',
  })
})
