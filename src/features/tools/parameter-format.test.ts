import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { listTools, readTool } from '../../contract/tools/index.ts'
import { listTriggerTypes, readTriggerType } from '../../contract/triggers/index.ts'

const TOOL = 'UTILITIES_CALCULATE'
const TRIGGER = 'GITHUB_ISSUE_ADDED_EVENT'

/** Returns the form of every read of tools and trigger types: `json_schema`, `map`, or both if they differ. */
async function formsOf({ as, keys }: TestApp, version: 'v3' | 'v3.1'): Promise<string> {
  const call = as({ 'x-api-key': keys.projectApiKey }, version)
  const tools = [
    (await call(readTool, { params: { tool_slug: TOOL } })).body,
    (await call(listTools, { query: { tool_slugs: [TOOL] } })).body.items[0],
  ]
  const triggers = [
    (await call(readTriggerType, { params: { slug: TRIGGER } })).body,
    (await call(listTriggerTypes, { query: { toolkit_slugs: ['github'] } })).body.items.find(
      ({ slug }) => slug === TRIGGER,
    ),
  ]
  const schemas = [
    ...tools.flatMap((tool) => [tool?.input_parameters, tool?.output_parameters]),
    ...triggers.flatMap((type) => [type?.config, type?.payload]),
  ] as { type?: unknown; properties?: object }[]
  assert.ok(schemas.every((schema) => Object.keys(schema).length > 0))
  const forms = schemas.map(({ type, properties }) =>
    type === 'object' && typeof properties === 'object' ? 'json_schema' : 'map',
  )
  return [...new Set(forms)].join(' and ')
}

test('parameters: v3 has a map of names, or JSON Schema with a brand; v3.1 always has JSON Schema', async (t) => {
  for (const [wireBrand, expected] of [
    ['service', 'map'],
    ['composio', 'json_schema'],
  ] as const) {
    const s = await testApp(t, { wireBrand })
    assert.equal(await formsOf(s, 'v3'), expected, wireBrand)
    assert.equal(await formsOf(s, 'v3.1'), 'json_schema', wireBrand)
  }
})

test('parameters: v3_parameter_format of a project overrides the form of v3, whatever the brand is', async (t) => {
  for (const wireBrand of ['service', 'composio']) {
    const s = await testApp(t, { wireBrand })
    for (const format of ['map', 'json_schema'] as const) {
      const { body } = await s.call(updateProjectConfig, { body: { v3_parameter_format: format } })
      assert.equal(body.v3_parameter_format, format)
      assert.equal(await formsOf(s, 'v3'), format, wireBrand)
      assert.equal(await formsOf(s, 'v3.1'), 'json_schema', wireBrand)
    }
  }
})
