import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTool } from '../../contract/tools/index.ts'
import { start, INPUT } from '#fixtures/tool-list.ts'

test('read tool: the slug is accepted in any case; version overrides toolkit_versions', async (t) => {
  const { call, newer } = await start(t)
  const read = async (tool_slug: string, query: object = {}, by = call) => {
    const { status, body } = await by(readTool, { params: { tool_slug }, query })
    return status === 200
      ? [body.slug, body.name, body.version]
      : [status, body.error.code, body.error.slug, body.error.message]
  }
  assert.deepEqual(await read('shop_Get_order'), ['SHOP_GET_ORDER', 'Get order', '00000000_00'])
  assert.deepEqual(await read('SHOP_GET_ORDER', { toolkit_versions: 'latest' }), [
    'SHOP_GET_ORDER',
    'Get the order',
    '20260301_00',
  ])
  assert.deepEqual(await read('SHOP_GET_ORDER', { 'toolkit_versions[Shop]': 'latest' }), [
    'SHOP_GET_ORDER',
    'Get the order',
    '20260301_00',
  ])
  assert.deepEqual(await read('SHOP_GET_ORDER', { 'toolkit_versions[mail]': 'latest' }), [
    'SHOP_GET_ORDER',
    'Get order',
    '00000000_00',
  ])
  assert.deepEqual(await read('SHOP_GET_ORDER', { version: '20260115_00', toolkit_versions: 'latest' }), [
    'SHOP_GET_ORDER',
    'Get order',
    '20260115_00',
  ])
  assert.deepEqual(await read('SHOP_GONE', { 'toolkit_versions[shop]': '20260115_00' }, newer), [
    'SHOP_GONE',
    'Gone',
    '20260115_00',
  ])
  assert.deepEqual(await read('SHOP_CREATE_ORDER'), [
    404,
    2401,
    'Tool_ToolNotFound',
    'Tool SHOP_CREATE_ORDER not found in version 00000000_00',
  ])
  assert.deepEqual(await read('SHOP_GET_ORDER', { version: '20200101_00' }), [
    404,
    2401,
    'Tool_ToolNotFound',
    'Tool SHOP_GET_ORDER not found in version 20200101_00',
  ])
  assert.deepEqual(await read('NO_SUCH'), [404, 2401, 'Tool_ToolNotFound', 'Tool NO_SUCH not found'])
  for (const slug of ['a b', 'x'.repeat(65), 'A.B'])
    assert.deepEqual((await read(slug)).slice(0, 2), [400, 10400], slug)
})

test('read tool: a tool has every field; v3 returns its parameters as a flat map', async (t) => {
  const { call } = await start(t)
  const { body } = await call(readTool, { params: { tool_slug: 'MAIL_SEND' } })
  const { input_parameters: input, output_parameters: output, ...rest } = body
  const [toolkit, available] = [
    { slug: 'mail', name: 'Mail', logo: 'http://localhost:3900/logos/mail.svg' },
    ['00000000_00', '20260115_00'],
  ]
  assert.deepEqual(rest, {
    slug: 'MAIL_SEND',
    name: 'Send letter',
    description: 'Sends an electronic letter.',
    human_description: rest.human_description,
    toolkit,
    no_auth: false,
    version: '00000000_00',
    available_versions: available,
    scopes: ['send', 'read', 'full'],
    scope_requirements: { all_of: ['send', { any_of: ['read', 'full'] }] },
    tags: rest.tags,
    is_deprecated: false,
    deprecated: {
      displayName: 'Send letter',
      version: '00000000_00',
      available_versions: available,
      is_deprecated: false,
      toolkit: { logo: toolkit.logo },
    },
  })
  assert.ok(rest.human_description && rest.tags.includes('important') && rest.tags.includes('createHint'))
  assert.deepEqual(input, {
    to: { type: 'string', description: 'Who gets it.', required: true, examples: ['a@b.co'] },
    urgent: { type: 'boolean', default: false, description: 'At once.', required: false, examples: [] },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['a', 'b'], description: 'Kind.', required: false, examples: [] },
        },
      },
      description: 'Pieces.',
      required: false,
      examples: [],
    },
  })
  assert.deepEqual(
    Object.entries(output).map(([name, one]) => [name, (one as { required: boolean }).required]),
    [
      ['data', true],
      ['error', false],
      ['successful', true],
    ],
  )
})

test('read tool: v3.1 returns parameters as JSON Schema', async (t) => {
  const { newer } = await start(t)
  const {
    body: { input_parameters: input, output_parameters: output },
  } = await newer(readTool, { params: { tool_slug: 'MAIL_SEND' } })
  assert.deepEqual(input, {
    type: 'object',
    title: 'SendRequest',
    properties: INPUT.properties,
    required: ['to'],
  })
  const { type, required, properties } = output as { type: string; required: string[]; properties: object }
  assert.deepEqual(
    [type, required, Object.keys(properties)],
    ['object', ['data', 'successful'], ['data', 'error', 'successful']],
  )
})

test('read tool: a tool without scopes or authentication and a deprecated tool are marked', async (t) => {
  const { call } = await start(t)
  const { body } = await call(readTool, { params: { tool_slug: 'OLD_A' } })
  assert.deepEqual(
    [body.no_auth, body.scopes, body.scope_requirements, body.is_deprecated, body.deprecated.is_deprecated],
    [true, [], null, true, true],
  )
})
