import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceMetadataParameter } from './challenge.ts'

test('oauth challenge: the metadata URL is found in real challenges', () => {
  for (const header of [
    'Bearer resource_metadata="https://a.example/m"',
    'Bearer realm="x, y", resource_metadata="https://a.example/m", error="invalid_token"',
    'bearer Resource_Metadata = "https://a.example/m"',
    'DPoP algs="ES256", resource_metadata=https://a.example/m',
    ['Basic realm="x"', 'Bearer resource_metadata="https://a.example/m"'],
    'Basic realm="resource_metadata=\\"https://evil.example\\"", Bearer resource_metadata="https://a.example/m"',
    'Bearer resource_metadata="https:\\/\\/a.example/m"',
  ])
    assert.equal(resourceMetadataParameter(header), 'https://a.example/m')
})

test('oauth challenge: a hostile header is ignored quickly', () => {
  for (const header of [
    undefined,
    '',
    [],
    'Bearer',
    'Bearer realm="resource_metadata=https://evil.example"',
    'Bearer resource_metadata',
    'Bearer resource_metadata=',
    'Bearer resource_metadata="https://a',
    'Bearer x_resource_metadata="https://a"',
    `${'a="'.repeat(2_000)}`,
    `Bearer ${'a=b,'.repeat(5_000)} resource_metadata="https://a.example"`,
  ]) {
    assert.ok(resourceMetadataParameter(header) === undefined, String(header).slice(0, 60))
  }
})
