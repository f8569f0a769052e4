import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS } from '../../../contract/errors/index.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { ApiError, badRequest } from '../api-error.ts'
import { validationDetail, toApiError } from './api-errors.ts'

test('api errors: the envelope has all seven fields', () => {
  const { error } = new ApiError('Tool_ToolNotFound', 'Tool X not found', { details: ['one'] }).toEnvelope(
    'req-1',
  )
  assert.deepEqual(error, {
    message: 'Tool X not found',
    code: 2401,
    slug: 'Tool_ToolNotFound',
    status: 404,
    request_id: 'req-1',
    suggested_fix: ERRORS.Tool_ToolNotFound.fix,
    errors: ['one'],
  })
})

test('api errors: API errors are returned unchanged', () => {
  const own = badRequest('Error in payload.x: is odd')
  assert.equal(toApiError(own), own)
  assert.deepEqual(
    [own.status, own.message, own.details],
    [400, 'Invalid request body: x is odd.', ['Error in payload.x: is odd']],
  )
})

test('api errors: an unexpected error shows no details, and its cause is logged', () => {
  for (const cause of [
    new Error('password=hunter2 at 10.0.0.1'),
    new TypeError('x is undefined'),
    'text',
    null,
    undefined,
    { code: 'toString' },
    { code: '__proto__' },
  ]) {
    const failure = toApiError(cause)
    assert.deepEqual(
      [failure.status, failure.slug, failure.message, failure.cause, failure.details],
      [500, 'HTTP_InternalServerError', 'Something went wrong on our side.', cause, []],
    )
  }
})

test('api errors: an unavailable database is a 503 without details', () => {
  const cause = new DatabaseUnavailable(new Error('connect ECONNREFUSED 10.0.0.1:5432') as never)
  const failure = toApiError(cause)
  assert.deepEqual(
    [failure.status, failure.slug, failure.cause, /10\.0\.0\.1/.test(failure.message)],
    [503, 'HTTP_ServiceUnavailable', cause, false],
  )
})

test('api errors: errors of the framework have messages of the API', () => {
  for (const [code, status] of [
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 400],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 400],
    ['FST_ERR_BAD_URL', 400],
    ['FST_ERR_MAX_PARAM_LENGTH', 400],
  ] as const) {
    const failure = toApiError(Object.assign(new Error('theirs'), { code }))
    assert.equal(failure.status, status, code)
    assert.ok(!failure.message.includes('theirs') && !failure.details.join().includes('theirs'))
  }
  assert.deepEqual(
    toApiError(Object.assign(new SyntaxError('Unexpected token'), { statusCode: 400 })).details,
    ['Error in payload: is not valid JSON'],
  )
})

test('api errors: a validation error reads `Error in <part>.<path>: <reason>`', () => {
  for (const [issue, text] of [
    [
      { instancePath: '/toolkit', keyword: 'required', params: { missingProperty: 'slug' } },
      'Error in payload.toolkit.slug: is required',
    ],
    [
      { instancePath: '', keyword: 'required', params: { missingProperty: 'toolkit' } },
      'Error in payload.toolkit: is required',
    ],
    [
      { instancePath: '/a', keyword: 'additionalProperties', params: { additionalProperty: 'b' } },
      'Error in payload.a.b: is not a known field',
    ],
    [
      { instancePath: '/list/2', keyword: 'enum', params: { allowedValues: ['x', 'y'] } },
      'Error in payload.list.2: must be one of x, y',
    ],
    [
      { instancePath: '/a~1b/c~0d', keyword: 'type', message: 'must be string' },
      'Error in payload.a/b.c~d: must be string',
    ],
    [
      { instancePath: '/callback_url', keyword: 'pattern', params: { pattern: '^https?://' } },
      'Error in payload.callback_url: must be an absolute URL that starts with http:// or https://',
    ],
    [{ instancePath: '' }, 'Error in payload: is not valid'],
  ] as const)
    assert.equal(validationDetail('payload', issue as Parameters<typeof validationDetail>[1]), text)
})

test('api errors: a text that is no URL has one error, without a regular expression', () => {
  const validation = [
    { instancePath: '/callback_url', keyword: 'pattern', params: { pattern: '^https?://' }, message: 'a' },
    { instancePath: '/callback_url', keyword: 'format', params: { format: 'uri' }, message: 'b' },
  ]
  const failure = toApiError(Object.assign(new Error('x'), { validation }))
  assert.deepEqual(failure.details, [
    'Error in payload.callback_url: must be an absolute URL that starts with http:// or https://',
  ])
})

test('api errors: validation errors name the part of the request, and at most 50 are listed', () => {
  const issue = { instancePath: '/limit', message: 'must be integer', keyword: 'type' }
  for (const [validationContext, part] of [
    ['body', 'payload'],
    ['querystring', 'query'],
    ['params', 'params'],
    ['headers', 'headers'],
    [undefined, 'payload'],
  ] as const) {
    const failure = toApiError(Object.assign(new Error('x'), { validation: [issue], validationContext }))
    assert.deepEqual(
      [failure.status, failure.slug, failure.details],
      [400, 'HTTP_BadRequest', [`Error in ${part}.limit: must be integer`]],
    )
  }
  assert.equal(
    toApiError(Object.assign(new Error('x'), { validation: Array(500).fill(issue) })).details.length,
    50,
  )
})
