import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { readProjectConfig } from '../../../contract/projects/index.ts'

const PATH = '/api/v3/org/project/config'

async function start(t: TestContext) {
  const { app, keys, call } = await testApp(t)
  const send = async (payload: string | undefined, contentType: string | undefined = 'application/json') => {
    const reply = await app.http.inject({
      method: 'PATCH',
      url: PATH,
      headers: { 'x-api-key': keys.projectApiKey, ...(contentType ? { 'content-type': contentType } : {}) },
      ...(payload === undefined ? {} : { payload }),
    })
    const { error, ...rest } = reply.json()
    return { status: reply.statusCode, error, body: rest }
  }
  return { send, name: async () => (await call(readProjectConfig)).body.display_name }
}

test('json body: every JSON content type is accepted', async (t) => {
  const { send, name } = await start(t)
  for (const [i, type] of [
    'application/json',
    'application/json; charset=utf-8',
    'application/merge-patch+json',
    'application/vnd.api+json',
  ].entries()) {
    assert.equal((await send(JSON.stringify({ display_name: `n${i}` }), type)).status, 200, type)
    assert.equal(await name(), `n${i}`)
  }
})

test('json body: an empty body counts as absent', async (t) => {
  const { send, name } = await start(t)
  for (const [payload, type] of [
    ['', 'application/json'],
    [undefined, 'application/json'],
    [undefined, ''],
  ] as const)
    assert.equal((await send(payload, type)).status, 200)
  assert.equal(await name(), null)
})

test('json body: other content types and invalid JSON are rejected', async (t) => {
  const { send, name } = await start(t)
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'nonsense',
  ]) {
    const { status, error } = await send('{"display_name":"x"}', type)
    assert.deepEqual([status, error.code, error.slug], [415, 10415, 'HTTP_UnsupportedMediaType'], type)
  }
  for (const text of ['{', '{"a":1}}', "{'a':1}", 'undefined', '{"a":NaN}', '\u0000']) {
    const { status, error } = await send(text)
    assert.deepEqual(
      [status, error.code, error.errors],
      [400, 10400, ['Error in payload: is not valid JSON']],
      text,
    )
  }
  for (const text of ['[]', '1', '"x"', 'null', 'true']) {
    const { status, error } = await send(text)
    assert.deepEqual(
      [status, error.code, error.errors],
      [400, 10400, ['Error in payload: must be object']],
      text,
    )
  }
  assert.equal(await name(), null)
})

test('json body: prototype keys are rejected at every depth', async (t) => {
  const { send } = await start(t)
  for (const text of [
    '{"__proto__":{"polluted":1}}',
    '{"a":{"__proto__":{"polluted":1}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"\\u005f_proto__":{"polluted":1}}',
  ]) {
    assert.equal((await send(text)).status, 400, text)
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('json body: NUL is rejected everywhere, but not the text of its escape', async (t) => {
  const { send, name } = await start(t)
  for (const text of ['{"display_name":"a\\u0000b"}', '{"x":[{"y":"\\u0000"}]}', '{"a\\u0000":1}']) {
    const { status, error } = await send(text)
    assert.deepEqual([status, error.errors], [400, ['Error in payload: texts must not hold NUL']], text)
  }
  assert.equal((await send('{"display_name":"a\\\\u0000b"}')).status, 200)
  assert.equal(await name(), 'a\\u0000b')
})

test('json body: a body of more than 6 MB is rejected', async (t) => {
  const { send } = await start(t)
  const bodyOf = (bytes: number) => `{"ignored":"${'x'.repeat(bytes - 14)}"}`
  const large = await send(bodyOf(6 * 1024 * 1024 + 1))
  assert.deepEqual([large.status, large.error.code, large.error.slug], [413, 10413, 'HTTP_PayloadTooLarge'])
  assert.equal((await send(bodyOf(6 * 1024 * 1024))).status, 200)
})

test('json body: a large body is parsed in slices, with the same checks', async (t) => {
  const { send, name } = await start(t)
  const list = `[${Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}`).join()}]`
  const nested = `${'['.repeat(200)}${']'.repeat(200)}`
  for (const [more, errors] of [
    ['"a":{"__proto__":{"polluted":1}}', 'Error in payload: is not valid JSON'],
    ['"a":{"\\u005f_proto__":1}', 'Error in payload: is not valid JSON'],
    ['"constructor":{"prototype":{"polluted":1}}', 'Error in payload: is not valid JSON'],
    ['"a":', 'Error in payload: is not valid JSON'],
    ['"a":[{"b":"\\u0000"}]', 'Error in payload: texts must not hold NUL'],
    ['"a\\ud800":1', 'Error in payload: texts must be well-formed Unicode'],
    [`"a":${nested}`, 'Error in payload: is nested deeper than 100 levels'],
  ] as const) {
    const { status, error } = await send(`{"list":${list},${more}}`)
    assert.deepEqual([status, error.errors], [400, [errors]], more.slice(0, 80))
  }
  assert.equal((await send(`{"list":${list},"constructor":{"a":"\\u00e9"},"display_name":"é"}`)).status, 200)
  assert.equal(await name(), 'é')
})
