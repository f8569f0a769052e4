import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badRequest, describeApiError } from './api-error.ts'
import { describeReceived, invalidRequestMessage } from './invalid-request-message.ts'

test('invalid requests: the message names the first field and the reason', () => {
  for (const [detail, message] of [
    ['Error in payload.toolkit.slug: is required', 'Invalid request body: toolkit.slug is required.'],
    ['Error in query.limit: must be >= 1', 'Invalid query: limit must be at least 1.'],
    ['Error in params.nanoid: must be string', 'Invalid path: nanoid must be a string.'],
    [
      'Error in headers.idempotency-key: must be integer',
      'Invalid headers: idempotency-key must be an integer.',
    ],
    [
      'Error in payload.name: must NOT have more than 128 characters',
      'Invalid request body: name must have at most 128 characters.',
    ],
    [
      'Error in payload.name: must NOT have fewer than 1 characters',
      'Invalid request body: name must have at least 1 character.',
    ],
    [
      'Error in payload.toolkits: must be object,null',
      'Invalid request body: toolkits must be an object or null.',
    ],
    [
      'Error in query.tags: must be string,integer,array',
      'Invalid query: tags must be a string, an integer or an array.',
    ],
    ['Error in payload: is not valid JSON', 'The request body is not valid JSON.'],
    ['Error in payload: give url or content', 'Invalid request body: give url or content.'],
    [
      'Error in payload.tool: the tool belongs to slack',
      'Invalid request body: tool: the tool belongs to slack.',
    ],
    ['Another form', 'Another form.'],
  ] as const)
    assert.equal(badRequest(detail).message, message)
})

test('invalid requests: the message has the received value and the number of further errors', () => {
  const first = 'Error in payload.arguments.limit: must be <= 100'
  assert.equal(
    invalidRequestMessage([first], '500'),
    'Invalid request body: arguments.limit must be at most 100 (received 500).',
  )
  assert.equal(
    invalidRequestMessage([first, 'Error in payload.name: is required'], '500'),
    'Invalid request body: arguments.limit must be at most 100 (received 500). errors contains 1 more.',
  )
  assert.equal(badRequest().message, 'The request is not valid.')
})

test('invalid requests: the message of a very long field is bounded', () => {
  const message = invalidRequestMessage([`Error in payload.${'a'.repeat(9_000)}: ${'b'.repeat(9_000)}`])
  assert.ok(message.length < 1_100, `${message.length}`)
})

test('received values: text that could be a secret is described, not repeated', () => {
  for (const [keyword, data, text] of [
    ['maximum', 500, '500'],
    ['type', 'ghp_secret', 'a string'],
    ['type', null, 'null'],
    ['type', [1], 'an array'],
    ['type', {}, 'an object'],
    ['enum', 'delte', '"delte"'],
    ['enum', 'x'.repeat(41), 'a string'],
    ['maxLength', 'ghp_secret', '10 characters'],
    ['maxItems', [1], '1 item'],
    ['pattern', 'ghp_secret', undefined],
    ['required', {}, undefined],
    ['type', undefined, undefined],
  ] as const)
    assert.equal(describeReceived({ instancePath: '/a', keyword, data }), text, `${keyword} ${String(data)}`)
})

test('errors for language models: every invalid field is a sentence, followed by the next step', () => {
  assert.equal(
    describeApiError(badRequest('Error in payload.a: is required', 'Error in payload.b: is required')),
    'Invalid request body: a is required. Invalid request body: b is required. ' +
      'Correct the fields in errors and send the request again.',
  )
})
