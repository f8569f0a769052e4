import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom } from '#fixtures/openapi-documents.ts'

const imported = (description?: string) =>
  importedFrom({
    swagger: '2.0',
    info: { title: 'Data', version: '1' },
    host: 'data.example',
    schemes: ['https'],
    securityDefinitions: {
      Bearer: { type: 'apiKey', in: 'header', name: 'Authorization', ...(description && { description }) },
    },
    security: [{ Bearer: [] }],
    paths: {
      '/items': {
        post: {
          operationId: 'createItem',
          parameters: [
            {
              in: 'body',
              name: 'body',
              schema: {
                type: 'object',
                properties: {
                  value: { type: 'string', format: 'byte' },
                  period: { type: 'string', format: 'duration' },
                },
              },
            },
          ],
          responses: {},
        },
      },
    },
  })

test('imported keys: a key in the header Authorization is described as the whole value of the header', () => {
  for (const description of [undefined, 'Your token.']) {
    const [field] = imported(description).toolkit.auth[0]!.fields!.connected_account_initiation!
    const text = (field as { description: string }).description
    assert.match(
      text,
      /Whole value of the Authorization header, its first word included, e\.g\. `Bearer <token>`/,
    )
    assert.ok(text.startsWith(description ?? 'Whole'))
  }
})

test('imported keys: a key in the header Authorization is offered as a bearer token, too', () => {
  const schemesOf = (description?: string) => imported(description).toolkit.auth.map(({ scheme }) => scheme)
  for (const description of [undefined, 'Your token.', 'Example: "Bearer abc", not "Basic abc".'])
    assert.deepEqual(schemesOf(description), ['API_KEY', 'BEARER_TOKEN'], description)
  assert.deepEqual(schemesOf('Write "ApiKey " and your key.'), ['API_KEY'])
  const inAnotherHeader = importedFrom({
    swagger: '2.0',
    info: { title: 'Data', version: '1' },
    securityDefinitions: { Key: { type: 'apiKey', in: 'header', name: 'X-Authorization' } },
    security: [{ Key: [] }],
    paths: { '/items': { get: { operationId: 'listItems', responses: {} } } },
  })
  assert.deepEqual(
    inAnotherHeader.toolkit.auth.map(({ scheme }) => scheme),
    ['API_KEY'],
  )
})

test('imported bodies: bytes in base64 are described as such, and other formats by their name', () => {
  const { properties } = imported().tools[0]!.input as { properties: Record<string, { description: string }> }
  assert.match(properties['value']!.description, /Base64-encoded\./)
  assert.doesNotMatch(properties['value']!.description, /Format/)
  assert.match(properties['period']!.description, /Format: duration\./)
})
