import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Composio, ComposioToolNotFoundError } from '@composio/core'
import { API_VERSIONS } from '../../src/contract/route.ts'
import { SHIPPED_WITH_TOOLS, WITHOUT_ACCOUNT } from './shipped.ts'
import { stockSdk } from './stock-sdk.ts'

type Format = Awaited<ReturnType<Composio['tools']['get']>>
const functionsOf = (tools: Format) =>
  tools.flatMap((tool) => (tool.type === 'function' ? [tool.function] : []))
const slugsOf = (tools: Format) => functionsOf(tools).map(({ name }) => name)

test('every tool of every toolkit that ships passes the parsing of the SDK, with the schemas unchanged', async (t) => {
  const { composio, baseURL, keys } = await stockSdk(t)
  const tools = await composio.tools.getRawComposioTools({ toolkits: SHIPPED_WITH_TOOLS, limit: 1000 })
  assert.deepEqual([...new Set(tools.map(({ toolkit }) => toolkit?.slug))].sort(), SHIPPED_WITH_TOOLS)
  const reply = await fetch(`${baseURL}/api/v3.1/tools?limit=1000`, {
    headers: { 'x-api-key': keys.projectApiKey },
  })
  const { items, total_items: total } = (await reply.json()) as {
    items: { slug: string; input_parameters: object; output_parameters: object }[]
    total_items: number
  }
  assert.equal(tools.length, total)
  const raw = new Map(items.map((item) => [item.slug, item]))
  for (const { slug, inputParameters, outputParameters, version, isNoAuth, toolkit } of tools) {
    assert.deepEqual(inputParameters, raw.get(slug)?.input_parameters, `${slug} input`)
    assert.deepEqual(outputParameters, raw.get(slug)?.output_parameters, `${slug} output`)
    assert.deepEqual(
      Object.keys(outputParameters?.properties ?? {}).sort(),
      ['data', 'error', 'successful'],
      slug,
    )
    assert.match(version ?? '', /^\d{8}_\d\d$/, slug)
    assert.equal(isNoAuth, WITHOUT_ACCOUNT.includes(toolkit?.slug ?? ''), slug)
  }
})

test('tools of a toolkit have the default provider format: important ones, unless all are requested', async (t) => {
  const { composio } = await stockSdk(t)
  const important = await composio.tools.get('ada', { toolkits: ['parse'] })
  const all = await composio.tools.get('ada', { toolkits: ['parse'], important: false, limit: 100 })
  assert.ok(important.length > 0 && important.length < all.length)
  assert.equal(functionsOf(all).length, all.length)
  const create = functionsOf(all).find(({ name }) => name === 'PARSE_CREATE_OBJECT')
  assert.match(create?.description ?? '', /^Creates one object/)
  assert.deepEqual(
    [create?.parameters?.['type'], create?.parameters?.['required']],
    ['object', ['class_name', 'data']],
  )
})

test('tools are found by slugs, by words, by tags and by auth config', async (t) => {
  const { composio } = await stockSdk(t)
  assert.deepEqual(
    slugsOf(
      await composio.tools.get('ada', { tools: ['PARSE_GET_OBJECT', 'UTILITIES_GET_CURRENT_TIME'] }),
    ).sort(),
    ['PARSE_GET_OBJECT', 'UTILITIES_GET_CURRENT_TIME'],
  )
  assert.equal(slugsOf(await composio.tools.get('ada', { search: 'send an email' }))[0], 'GMAIL_SEND_EMAIL')
  const reading = await composio.tools.getRawComposioTools({
    toolkits: ['parse'],
    tags: ['readOnlyHint'],
    limit: 100,
  })
  assert.ok(reading.length > 0 && reading.every(({ tags }) => tags?.includes('readOnlyHint')))
  const { id } = await composio.authConfigs.create('parse', {
    type: 'use_custom_auth',
    authScheme: 'API_KEY',
    credentials: {},
  })
  await composio.authConfigs.update(id, {
    type: 'custom',
    credentials: {},
    toolAccessConfig: { toolsAvailableForExecution: ['PARSE_GET_OBJECT'] },
  })
  assert.deepEqual(slugsOf(await composio.tools.get('ada', { authConfigIds: [id] })), ['PARSE_GET_OBJECT'])
})

test('one tool is read by its slug, in a version where one is given', async (t) => {
  const { composio } = await stockSdk(t)
  const tools = await composio.tools.get('ada', 'PARSE_CREATE_OBJECT')
  assert.deepEqual(slugsOf(tools), ['PARSE_CREATE_OBJECT'])
  const raw = await composio.tools.getRawComposioToolBySlug('PARSE_CREATE_OBJECT')
  assert.ok(raw.availableVersions?.includes(raw.version ?? ''))
  const pinned = await composio.tools.getRawComposioToolBySlug('PARSE_CREATE_OBJECT', {
    version: raw.version ?? '',
  })
  assert.deepEqual(pinned, raw)
})

test('a tool or a version that does not exist is the same typed error', async (t) => {
  const { composio } = await stockSdk(t)
  await assert.rejects(composio.tools.get('ada', 'PARSE_MAKE_COFFEE'), ComposioToolNotFoundError)
  await assert.rejects(
    composio.tools.getRawComposioToolBySlug('PARSE_CREATE_OBJECT', { version: '20010101_00' }),
    ComposioToolNotFoundError,
  )
})

test('the slugs of all tools come as a plain list', async (t) => {
  const { composio } = await stockSdk(t)
  const slugs = (await composio.tools.getToolsEnum()) as unknown as string[]
  const tools = await composio.tools.getRawComposioTools({ toolkits: SHIPPED_WITH_TOOLS, limit: 1000 })
  assert.deepEqual([...slugs].sort(), tools.map(({ slug }) => slug).sort())
})

test('the SDK asks v3.1; with the brand, parameters are JSON Schema on v3 too, for older clients', async (t) => {
  const { composio, seen, baseURL, keys } = await stockSdk(t)
  await composio.tools.get('ada', 'PARSE_CREATE_OBJECT')
  assert.deepEqual(
    seen.map(({ path }) => path),
    ['/api/v3.1/tools/PARSE_CREATE_OBJECT'],
  )
  const schemas = await Promise.all(
    API_VERSIONS.map(async (version) => {
      const reply = await fetch(`${baseURL}/api/${version}/tools/PARSE_CREATE_OBJECT?version=latest`, {
        headers: { 'x-api-key': keys.projectApiKey },
      })
      return ((await reply.json()) as { input_parameters: { type?: string; required?: string[] } })
        .input_parameters
    }),
  )
  for (const { type, required } of schemas) {
    assert.equal(type, 'object')
    assert.ok(required?.includes('class_name'))
  }
})
