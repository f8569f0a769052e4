import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom, oneOperation, sampleDocument, sentBy, toolFrom } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>
const parameter = (name: string, where: string, more: Json = {}) => ({
  name,
  in: where,
  schema: { type: 'string' },
  ...more,
})
const strings = { type: 'array', items: { type: 'string' } }
const object = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }

/** A query parameter, its value, and what is sent. */
const QUERY_STYLES = [
  [
    { schema: strings },
    ['x', 'y'],
    [
      ['p', 'x'],
      ['p', 'y'],
    ],
  ],
  [{ schema: strings, explode: false }, ['x', 'y'], [['p', ['x', 'y']]]],
  [{ schema: strings, style: 'spaceDelimited', explode: false }, ['x', 'y'], [['p', 'x y']]],
  [
    { schema: strings, style: 'spaceDelimited', explode: true },
    ['x', 'y'],
    [
      ['p', 'x'],
      ['p', 'y'],
    ],
  ],
  [{ schema: strings, style: 'pipeDelimited', explode: false }, ['x', 'y'], [['p', 'x|y']]],
  [
    { schema: object },
    { a: 1, b: 2 },
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [{ schema: object, explode: false }, { a: 1, b: 2 }, [['p', ['a', '1', 'b', '2']]]],
  [
    { schema: object, style: 'deepObject' },
    { a: 1, b: 2 },
    [
      ['p[a]', '1'],
      ['p[b]', '2'],
    ],
  ],
  [
    { schema: strings, style: 'deepObject' },
    ['x', 'y'],
    [
      ['p[]', 'x'],
      ['p[]', 'y'],
    ],
  ],
  [{ schema: undefined, content: { 'application/json': { schema: object } } }, { a: 1 }, [['p', '{"a":1}']]],
  [{ schema: undefined, content: { 'application/json': { schema: { type: 'string' } } } }, 'x', [['p', 'x']]],
] as [Json, unknown, unknown][]

const PATH_STYLES = [
  [{}, 'x/y', '/a/x%2Fy'],
  [{ schema: strings }, ['x', 'y,z'], '/a/x,y%2Cz'],
  [{ schema: object, explode: true }, { a: 1, b: 2 }, '/a/a=1,b=2'],
  [{ schema: strings, style: 'label' }, ['x', 'y'], '/a/.x,y'],
  [{ schema: strings, style: 'matrix', explode: true }, ['x', 'y'], '/a/;p=x;p=y'],
] as [Json, unknown, string][]

test('imported request: parameter styles match the table of the OpenAPI specification', () => {
  const query = (more: Json, value: unknown) =>
    sentBy(oneOperation({ parameters: [parameter('p', 'query', more)] }), { p: value }).query
  for (const [more, value, expected] of QUERY_STYLES)
    assert.deepEqual(query(more, value), expected, JSON.stringify(more))
  const path = (more: Json, value: unknown) =>
    sentBy(
      oneOperation(
        { parameters: [parameter('p', 'path', { required: true, ...more })] },
        {},
        { path: '/a/{p}' },
      ),
      { p: value },
    ).path
  for (const [more, value, expected] of PATH_STYLES)
    assert.equal(path(more, value), expected, JSON.stringify(more))
  const head = (where: string, more: Json, value: unknown) =>
    sentBy(oneOperation({ parameters: [parameter('p', where, more)] }), { p: value }).headers
  assert.deepEqual(head('header', { schema: object }, { a: 1, b: 2 }), { p: 'a,1,b,2' })
  assert.deepEqual(head('header', { schema: object, explode: true }, { a: 1, b: 2 }), { p: 'a=1,b=2' })
  assert.deepEqual(head('cookie', {}, 'x; y'), { cookie: 'p=x%3B%20y' })
})

test('imported request: one name in several locations gives several arguments', () => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((where) =>
    parameter('id', where, { required: true }),
  )
  const body = {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
    },
  }
  const document = oneOperation({ parameters, requestBody: body }, {}, { method: 'put', path: '/a/{id}' })
  assert.deepEqual((toolFrom(document).input as Json)['required'], [
    'id',
    'query_id',
    'header_id',
    'cookie_id',
    'body_id',
  ])
  const {
    path,
    query,
    headers,
    body: sent,
  } = sentBy(document, { id: '1', query_id: '2', header_id: '3', cookie_id: '4', body_id: '5' })
  assert.deepEqual(
    [path, query, headers, sent],
    ['/a/1', [['id', '2']], { id: '3', cookie: 'id=4' }, { id: '5' }],
  )
})

test('imported request: argument names are made valid, and the wire names stay', () => {
  const names = ['filter[name]', '$top', 'ids[]', '2fa', 'X-Trace.Id', 'größe', '日本', 'a'.repeat(90)]
  const document = oneOperation({ parameters: names.map((name) => parameter(name, 'query')) })
  const args = Object.keys((toolFrom(document).input as { properties: Json }).properties)
  assert.deepEqual(args.slice(0, 5), ['filter_name', 'top', 'ids', '_2fa', 'X-Trace.Id'])
  for (const name of args) assert.match(name, /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/)
  assert.deepEqual(
    sentBy(document, Object.fromEntries(args.map((name) => [name, 'v']))).query,
    names.map((name) => [name, 'v']),
  )
})

test('imported request: constants and values of the connection are not arguments', () => {
  const parameters = [
    parameter('version', 'query', { required: true, schema: { enum: ['{v}1'] } }),
    parameter('Accept', 'header'),
    parameter('Authorization', 'header'),
    parameter('X-Key', 'header', { required: true }),
    parameter('Action', 'header', { required: true, schema: { type: 'string', enum: ['Do'] } }),
    parameter('kind', 'query', { schema: { enum: ['only'] } }),
  ]
  const body = {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'name'],
          properties: { type: { type: 'string', enum: ['user'] }, name: { type: 'string' } },
        },
      },
    },
  }
  const document = oneOperation(
    { parameters, requestBody: body },
    {
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
      security: [{ key: [] }],
    },
    { method: 'post' },
  )
  assert.deepEqual(Object.keys((toolFrom(document).input as { properties: Json }).properties), [
    'kind',
    'name',
  ])
  const { query, headers, body: sent } = sentBy(document, { name: 'n' })
  assert.deepEqual(
    [query, headers, sent],
    [[['version', '{v}1']], { action: 'Do' }, { type: 'user', name: 'n' }],
  )
})

/** The body that is sent for the arguments, and the input fields of the tool. */
const bodyOf = (type: string, schema: Json, more: Json = {}, args: Json = {}) => {
  const document = oneOperation(
    { requestBody: { required: true, content: { [type]: { schema, ...more } } } },
    {},
    { method: 'post' },
  )
  const { body, bodyType, bodyStyles, headers } = sentBy(document, args)
  const input = (toolFrom(document).input as { properties: Record<string, Json> }).properties
  return { body, bodyType, bodyStyles, headers, input }
}

test('imported request: forms and files become the matching body', () => {
  const form = bodyOf(
    'application/x-www-form-urlencoded',
    { type: 'object', properties: { card: object, tags: strings } },
    {
      encoding: {
        card: { style: 'deepObject', explode: true },
        tags: { style: 'pipeDelimited', explode: false },
      },
    },
    { card: { a: 1 } },
  )
  assert.deepEqual(
    [form.body, form.bodyType, form.bodyStyles],
    [{ card: { a: 1 } }, 'form', { card: 'brackets', tags: 'pipe' }],
  )
  const multipart = bodyOf(
    'multipart/form-data',
    {
      type: 'object',
      properties: {
        file: { type: 'string', format: 'binary' },
        files: { type: 'array', items: { type: 'string', format: 'binary' } },
        note: { type: 'string' },
      },
    },
    {},
    { file: { content: 'x', name: 'a.txt' }, note: 'n' },
  )
  assert.equal(multipart.bodyType, 'multipart')
  assert.equal((multipart.body as { file: { bytes: Buffer } }).file.bytes.toString(), 'x')
  assert.deepEqual([multipart.input['file']!['type'], multipart.input['files']!['type']], ['object', 'array'])
})

test('imported request: raw bytes, text and JSON become the matching body', () => {
  const bytes = bodyOf(
    'image/png',
    { type: 'string', format: 'binary' },
    {},
    { body: { content: 'AAE=', encoding: 'base64' } },
  )
  assert.deepEqual(
    [bytes.bodyType, bytes.headers, [...(bytes.body as { bytes: Buffer }).bytes]],
    ['binary', { 'content-type': 'image/png' }, [0, 1]],
  )
  const xml = bodyOf(
    'application/xml',
    { type: 'object', xml: { name: 'Order' }, properties: { id: { type: 'string' } } },
    {},
    { body: '<Order/>' },
  )
  assert.deepEqual(
    [xml.body, xml.bodyType, xml.headers],
    ['<Order/>', 'text', { 'content-type': 'application/xml' }],
  )
  assert.match(String(xml.input['body']!['description']), /root element is Order.*Members: id/)
  assert.deepEqual(
    bodyOf('application/merge-patch+json', { type: 'object', properties: { a: {} } }, {}, { a: 1 }).headers,
    { 'content-type': 'application/merge-patch+json' },
  )
  const list = bodyOf('application/json', strings, {}, { body: ['x'] })
  assert.deepEqual([list.body, list.bodyType], [['x'], 'json'])
  const open = bodyOf(
    'application/json',
    { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    {},
    { body: { a: 1, b: 'x' } },
  )
  assert.deepEqual(open.body, { a: 1, b: 'x' })
})

test('imported request: an optional body is not sent without arguments', () => {
  const requestBody = {
    content: {
      'application/json': {
        schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      },
    },
  }
  const document = oneOperation({ requestBody }, {}, { method: 'delete' })
  assert.equal((toolFrom(document).input as Json)['required'], undefined)
  assert.equal(sentBy(document, {}).body, undefined)
})

test('imported request: a query and a fragment in a path are handled as such', () => {
  const document = oneOperation(
    {
      parameters: [
        parameter('name', 'path', { required: true }),
        parameter('fixed', 'query', { required: true }),
      ],
    },
    {},
    { path: '/export?fixed=1&file={name}#Action=Export' },
  )
  assert.deepEqual(sentBy(document, { name: 'a b' }), {
    method: 'GET',
    path: '/export',
    query: [
      ['fixed', '1'],
      ['file', 'a b'],
    ],
    headers: {},
    body: undefined,
    bodyType: 'json',
  })
})

test('imported request: an undeclared path placeholder is an argument; an unmatched brace is rejected', () => {
  const undeclared = oneOperation({}, {}, { path: '/a/{user id}/b' })
  assert.equal(sentBy(undeclared, { user_id: 'x' }).path, '/a/x/b')
  assert.deepEqual((toolFrom(undeclared).input as { properties: Json }).properties, {
    user_id: { type: 'string', description: 'User id.', minLength: 1 },
  })
  const { report } = importedFrom(
    sampleDocument({
      '/ok': { get: { responses: {} } },
      '/a/{b': { get: { responses: {} } },
      '/x/../y': { get: { responses: {} } },
      '/t': { trace: { responses: {} } },
    }),
  )
  assert.deepEqual(
    report.refused.map(({ operation, cause }) => [operation, cause]),
    [
      ['GET /a/{b', 'bad_path'],
      ['TRACE /t', 'unsupported_method'],
      ['GET /x/../y', 'bad_path'],
    ],
  )
})

test('imported request: the effect follows from the method, or from a more dangerous name', () => {
  const effects = (
    [
      'get Users',
      'post createUser',
      'put replaceUser',
      'patch x',
      'delete x',
      'get deleteUser',
      'post messages.delete',
      'get updateStatus',
      'post listUsers',
    ] as const
  ).map((text) => {
    const [method, operationId] = text.split(' ') as [string, string]
    return toolFrom(oneOperation({ operationId }, {}, { method })).effect
  })
  assert.deepEqual(effects, [
    'read',
    'create',
    'update',
    'update',
    'delete',
    'delete',
    'delete',
    'update',
    'create',
  ])
})

test('imported request: an operation with its own server is sent to it', () => {
  const document = oneOperation({
    servers: [{ url: 'https://{zone}.uploads.example/v2/', variables: { zone: { default: 'eu' } } }],
  })
  assert.equal(sentBy(document, {}).path, 'https://eu.uploads.example/v2/things')
})
