import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import type { Route } from '../../src/contract/route.ts'
import { exampleOf } from './examples/index.ts'
import { measureProcessorTime } from '../fixtures/processor-time.ts'
import { envelope } from './send.ts'
import { world, type World } from './world.ts'

const MB = 1024 * 1024
/** In units of `measureProcessorTime`. Listing every mistake of these bodies took about 500. */
const PROCESSOR_TIME_MAX = 200
const REPLY_CHARACTERS_MAX = 20_000

async function post(w: World, id: string, text: string) {
  const route = routes.find((one) => one.id === id) as Route
  const example = await exampleOf(id, w)
  return w.send(route, 'v3.1', {
    ...example,
    body: undefined,
    text,
    headers: { ...w.credentials(route), ...example.headers },
  })
}

const nested = (levels: number, inner = '1') => '['.repeat(levels) + inner + ']'.repeat(levels)
const list = (item: string) =>
  `[${Array<string>(Math.floor((6 * MB - 500) / (item.length + 1)))
    .fill(item)
    .join()}]`
const members = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join()}}`
const config = (rest: string) =>
  `{"toolkit":{"slug":"nodered"},"auth_config":{"type":"use_custom_auth","authScheme":"BEARER_TOKEN",${rest}}}`
const connecting = (rest: string) => `{"auth_config":{"id":"ac_x"},"connection":{${rest}}}`

const BODIES: readonly [what: string, id: string, text: string, status: number][] = [
  [
    '100,000 lists in each other',
    'authConfigs.create',
    config(`"shared_credentials":{"a":${nested(100_000)}}`),
    400,
  ],
  [
    'the same with an escape in it',
    'authConfigs.create',
    config(`"shared_credentials":{"a":${nested(100_000)},"b":"\\u0000"}`),
    400,
  ],
  ['three million brackets', 'authConfigs.create', nested(3_000_000, ''), 400],
  [
    'a million objects in each other',
    'authConfigs.create',
    `${'{"a":'.repeat(MB)}1${'}'.repeat(MB)}`.slice(0, 6 * MB),
    400,
  ],
  ['brackets that never close', 'authConfigs.create', '['.repeat(6 * MB), 400],
  [
    'arguments that are nested too deep',
    'tools.execute',
    `{"arguments":{"timezone":${nested(100_000)}}}`,
    400,
  ],
  ['three million wrong items', 'tools.scopesRequired', `{"tools":${list('1')}}`, 400],
  ['two million wrong objects', 'toolkits.multi', `{"toolkits":${list('{}')}}`, 400],
  [
    'half a million wrong members',
    'authConfigs.create',
    config(`"credentials":${members(400_000, '{}')}`),
    400,
  ],
  [
    'a name of five megabytes',
    'authConfigs.create',
    config(`"credentials":{"${'k'.repeat(5 * MB)}":{}}`),
    400,
  ],
  [
    'a name of five megabytes that may not be there',
    'projectKeys.create',
    `{"permissions":{"${'k'.repeat(5 * MB)}":[]}}`,
    400,
  ],
  [
    'an address of five megabytes',
    'connectedAccounts.create',
    connecting(`"callback_url":"http://${'a:'.repeat(2.5 * MB)}@"`),
    400,
  ],
  [
    'an address of escapes',
    'connectedAccounts.create',
    connecting(`"callback_url":"http://${'%41'.repeat(MB)} "`),
    400,
  ],
  [
    'a text of five megabytes of quotes and backslashes',
    'projectConfig.update',
    `{"display_name":"${'\\\\\\"'.repeat(MB)}"}`,
    400,
  ],
  ['half a million members that nobody declared', 'projectConfig.update', members(400_000, '1'), 400],
  [
    'half a million arguments that the tool does not have',
    'tools.execute',
    `{"arguments":${members(400_000, '1')}}`,
    200,
  ],
  [
    'three million items where the tool wants a text',
    'tools.execute',
    `{"arguments":{"timezone":${list('1')}}}`,
    200,
  ],
]

test('no body takes seconds of processor time or gets a response without bound', async (t) => {
  const w = await world(t)
  for (const [what, id, text, status] of BODIES) {
    assert.ok(text.length <= 6 * MB, `${what} is not rejected for its size alone`)
    let reply!: Awaited<ReturnType<typeof post>>
    const processorTime = await measureProcessorTime(async () => {
      reply = await post(w, id, text)
    })
    assert.equal(reply.status, status, `${what}: ${reply.text.slice(0, 300)}`)
    if (status >= 400) envelope(reply, what)
    assert.ok(processorTime < PROCESSOR_TIME_MAX, `${what} took ${Math.round(processorTime)} units`)
    assert.ok(
      reply.text.length < REPLY_CHARACTERS_MAX,
      `${what} was answered with ${reply.text.length} characters`,
    )
  }
})

test('a hundred levels are accepted, one more is not, and brackets in texts do not count', async (t) => {
  const w = await world(t)
  const shared = (value: string) => config(`"shared_credentials":{"a":${value}}`)
  const around = 3 // of the body, auth_config and shared_credentials
  assert.equal((await post(w, 'authConfigs.create', shared(nested(100 - around)))).status, 201)
  const reply = await post(w, 'authConfigs.create', shared(nested(101 - around)))
  assert.deepEqual(
    [reply.status, envelope(reply, 'deep').errors],
    [400, ['Error in payload: is nested deeper than 100 levels']],
  )
  for (const text of ['[{'.repeat(500), `\\"${'['.repeat(500)}`, `${'['.repeat(200)}\\\\`])
    assert.equal((await post(w, 'authConfigs.create', shared(`"${text}"`))).status, 201, text.slice(0, 8))
})

test('NUL and lone surrogates are rejected in values and names; escaped text like them is accepted', async (t) => {
  const w = await world(t)
  for (const text of [
    '"\\u0000"',
    '"a\\u0000b"',
    '{"a\\u0000":1}',
    '[["\\u0000"]]',
    '"\\ud800"',
    '"\\uDC00x"',
    '{"\\ud83d":1}',
    '["\\ude00\\ud83d"]',
  ]) {
    const reply = await post(w, 'authConfigs.create', config(`"shared_credentials":{"a":${text}}`))
    assert.deepEqual([reply.status, envelope(reply, text).slug], [400, 'HTTP_BadRequest'], text)
  }
  for (const text of ['"\\\\u0000"', '"\\ud83d\\ude00"', '{"\\ud83d\\ude00":"😀"}'])
    assert.equal(
      (await post(w, 'authConfigs.create', config(`"shared_credentials":{"a":${text}}`))).status,
      201,
      text,
    )
})

test('a number that is too large for a double is rejected, not stored as null', async (t) => {
  const w = await world(t)
  const reply = await post(w, 'authConfigs.create', config('"credentials":{"a":1e999}'))
  assert.equal(reply.status, 400, reply.text)
  assert.equal((await post(w, 'authConfigs.create', config('"credentials":{"a":1e308}'))).status, 201)
})

test('every mistake of an ordinary body is listed', async (t) => {
  const w = await world(t)
  const reply = await post(
    w,
    'projects.create',
    '{"name":"!","should_create_api_key":"yes","config":{"log_visibility_setting":"some"}}',
  )
  const at = envelope(reply, 'mistakes').errors.map((text) => /^Error in (\S+):/.exec(text)?.[1])
  assert.deepEqual([...new Set(at)].sort(), [
    'payload.config.is_2FA_enabled',
    'payload.config.log_visibility_setting',
    'payload.config.mask_secret_keys_in_connected_account',
    'payload.name',
    'payload.should_create_api_key',
  ])
})
