import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../../contract/schema-type.ts'
import { testApp } from '#fixtures/app.ts'
import { FreeObject, Nullable, OneOf, Open } from '../../../contract/common.ts'
import { routes } from '../../../contract/index.ts'
import { createLog } from '../../log.ts'
import {
  findUnknownFields,
  removeUnknownFields,
  unknownFieldDetail,
  unknownFieldsWarning,
} from './unknown-fields.ts'

interface LogEntry {
  names?: string[]
  operation?: string
  request_id?: string
}

const details = (schema: object, value: unknown): string[] =>
  findUnknownFields(schema, value, 'payload').map((one) => unknownFieldDetail(one))

const SCHEMA = Type.Object({
  user_id: Type.String(),
  toolkit_slugs: Type.Optional(Type.Array(Type.String())),
  connection: Type.Object({ callback_url: Type.String(), state: FreeObject }),
  items: Type.Array(Type.Object({ name: Type.String() })),
  open: Open({ a: Type.String() }),
  choice: Nullable(
    OneOf('type', [
      Type.Object({ type: Type.Literal('a'), first: Type.String() }),
      Type.Object({ type: Type.Literal('b'), second: Type.String() }),
    ]),
  ),
})

test('unknown fields: declared names, free objects and all variants of a union are known', () => {
  const value = {
    user_id: 'u',
    connection: { callback_url: 'x', state: { anything: 1 } },
    items: [{ name: 'a' }, { name: 'b' }],
    open: { b: 1 },
    choice: { type: 'a', second: 'x' },
  }
  assert.deepEqual(details(SCHEMA, value), [])
  for (const other of [null, 7, 'text', [], undefined]) assert.deepEqual(details(SCHEMA, other), [])
})

test('unknown fields: where they are ignored, they are removed at every depth, and the rest stays', () => {
  const value = {
    user_id: 'u',
    project_id: 'other',
    connection: { callback_url: 'x', status: 'ACTIVE', state: { anything: 1 } },
    items: Array.from({ length: 60 }, () => ({ name: 'a', id: 'b' })),
    open: { b: 1 },
    choice: { type: 'a', first: 'x', third: 1 },
  }
  removeUnknownFields(SCHEMA, value)
  assert.deepEqual(value, {
    user_id: 'u',
    connection: { callback_url: 'x', state: { anything: 1 } },
    items: Array.from({ length: 60 }, () => ({ name: 'a' })),
    open: { b: 1 },
    choice: { type: 'a', first: 'x' },
  })
  for (const other of [null, 7, 'text', [], undefined]) removeUnknownFields(SCHEMA, other)
})

test('unknown fields: under v3 a field that no caller may set changes nothing', async (t) => {
  const app = await testApp(t)
  const send = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    app.app.http.inject({ method, url, payload, headers: { 'x-api-key': app.keys.projectApiKey } })
  const created = await send('POST', '/api/v3/alert_rules', {
    name: 'Expired accounts',
    condition: 'account_expired',
    channel: 'webhook',
    webhook_url: 'http://127.0.0.1:9/alerts',
  })
  assert.equal(created.statusCode, 201, created.body)
  const { id } = created.json<{ id: string }>()
  const changed = await send('PATCH', `/api/v3/alert_rules/${id}`, { threshold: 6, condition: 'error_rate' })
  const { condition, threshold } = changed.json<{ condition: string; threshold: number }>()
  assert.deepEqual([changed.statusCode, condition, threshold], [200, 'account_expired', 6])
  assert.match(String(changed.headers['x-patchbay-warning']), /"condition" was ignored/)
})

test('unknown fields: an error names the field with its path, and the name that was probably meant', () => {
  for (const [value, expected] of [
    [{ user_ids: 1 }, 'payload.user_ids: is not a known field. Did you mean user_id?'],
    [{ userId: 1 }, 'payload.userId: is not a known field. Did you mean user_id?'],
    [{ toolkit: 1 }, 'payload.toolkit: is not a known field. Did you mean toolkit_slugs?'],
    [{ speed: 1 }, 'payload.speed: is not a known field'],
    [
      { connection: { calback_url: 'x' } },
      'payload.connection.calback_url: is not a known field. Did you mean callback_url?',
    ],
    [
      { items: [{ name: 'a' }, { nam: 'b' }] },
      'payload.items.1.nam: is not a known field. Did you mean name?',
    ],
    [{ choice: { third: 1 } }, 'payload.choice.third: is not a known field'],
  ] as const)
    assert.deepEqual(details(SCHEMA, value), [`Error in ${expected}`])
})

test('unknown fields: hostile names stay short and printable, and at most five are reported', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`zzzz${index}`, 1]))
  assert.equal(details(SCHEMA, many).length, 5)
  const name = `é\r\nset-cookie: a="b"${'x'.repeat(500)}`
  const found = findUnknownFields(SCHEMA, JSON.parse(`{${JSON.stringify(name)}: 1}`), 'payload')
  assert.match(unknownFieldsWarning(found), /^[\x20-\x7e]{1,150}$/)
  assert.deepEqual(details(SCHEMA, JSON.parse('{"__proto__": 1, "constructor": 2}')), [
    'Error in payload.__proto__: is not a known field',
    'Error in payload.constructor: is not a known field',
  ])
})

test('unknown fields: v3.1 rejects them before anything runs, v3 warns in a header and in the log', async (t) => {
  const entries: LogEntry[] = []
  const log = Object.assign(createLog('silent'), { info: (entry: LogEntry) => entries.push(entry) })
  const { app, keys } = await testApp(t, { log })
  const send = (version: string, url: string, payload?: object) =>
    app.http.inject({
      method: payload ? 'POST' : 'GET',
      url: `/api/${version}${url}`,
      headers: { 'x-api-key': keys.projectApiKey, 'x-request-id': 'unknown-1' },
      ...(payload && { payload }),
    })
  const rejected = await send('v3.1', '/tools?toolkit=github')
  assert.equal(rejected.statusCode, 400)
  assert.equal(
    rejected.json().error.message,
    'Invalid query: toolkit is not a known parameter. Did you mean toolkit_slug?',
  )
  const list = await send('v3', '/tools?toolkit=github&limit=1')
  assert.deepEqual(
    [list.statusCode, list.headers['x-patchbay-warning']],
    [200, 'Unknown query parameter "toolkit" was ignored. Did you mean "toolkit_slug"?'],
  )
  const body = { user_id: 'u', expression: '1 + 1' }
  const call = await send('v3.1', '/tools/execute/UTILITIES_CALCULATE', body)
  assert.deepEqual(
    [call.statusCode, call.json().error.errors],
    [400, ['Error in payload.expression: is not a known field. Inputs of the tool belong in "arguments"']],
  )
  const known = await send('v3', '/tools?toolkit_slug=github&limit=1')
  assert.equal(known.headers['x-patchbay-warning'], undefined)
  const logged = entries.filter(({ names }) => names)
  assert.deepEqual(
    logged.map(({ names, operation, request_id: id }) => [names, operation, id]),
    [[['query.toolkit'], 'tools.list', 'unknown-1']],
  )
})

test('unknown fields: UNKNOWN_FIELDS=warn lets v3.1 ignore them too', async (t) => {
  const { app, keys } = await testApp(t, { unknownFields: 'warn' })
  const reply = await app.http.inject({
    url: '/api/v3.1/tools?toolkit=github&limit=1',
    headers: { 'x-api-key': keys.projectApiKey },
  })
  assert.equal(reply.statusCode, 200)
  assert.match(String(reply.headers['x-patchbay-warning']), /"toolkit_slug"/)
})

test('unknown fields: every operation of v3.1 rejects a parameter and a field that it does not declare', async (t) => {
  const { app, keys } = await testApp(t)
  for (const route of routes) {
    const headers =
      route.audience === 'organization'
        ? { 'x-org-api-key': keys.organizationApiKey }
        : { 'x-api-key': keys.projectApiKey }
    const path = route.path.replaceAll(/:\w+/g, 'x')
    const send = (query: string, payload?: object) =>
      app.http.inject({
        method: route.method,
        url: `/api/v3.1${path}${query}`,
        headers,
        ...(payload && { payload }),
      })
    const reply = await send('?no_such_name=1')
    assert.equal(reply.statusCode, 400, route.id)
    assert.match(
      reply.json().error.errors[0],
      /^Error in query\.no_such_name: is not a known parameter/,
      route.id,
    )
    const { properties = {}, additionalProperties } = route.body as Record<string, object | undefined>
    // The schemas of closed bodies reject unknown fields themselves, after the path was validated.
    if (Object.keys(properties).length === 0 || additionalProperties !== undefined) continue
    const { error } = (await send('', { no_such_name: 1 })).json()
    assert.match(String(error?.errors), /Error in payload\.no_such_name: is not a known field/, route.id)
  }
})
