import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources, type Catalog } from '../../../catalog/index.ts'
import { createProxyTool } from '../../../engine/index.ts'
import { dataFlowOf } from './classify-tool.ts'

const SOURCE = { document: 'shop#0', tier: 'vendor' }
const catalogOf = (toolkit: object, tools: object[]): Catalog =>
  catalogFromSources([
    sampleSource(
      { ...toolkit },
      tools.map((more) => sampleTool({ ...more })),
    ),
  ])
const flowOf = (toolkit: object, tool: object) => {
  const catalog = catalogOf(toolkit, [tool])
  const { reads, sends } = dataFlowOf(catalog.tool('SHOP_GET_ORDER', 'latest')!, false)
  return [reads, sends]
}

test('data flow of tools: the manifest decides, then the toolkit, then its categories; unknown content counts', () => {
  const mail = { categories: ['productivity', 'email'] }
  for (const [toolkit, tool, expected] of [
    [{}, {}, ['records', false]],
    [mail, {}, ['mail', false]],
    [mail, { effect: 'update' }, ['mail', true]],
    [mail, { effect: 'delete' }, ['mail', true]],
    [mail, { effect: 'create' }, [undefined, true]],
    [mail, { effect: 'create', source: SOURCE }, ['mail', true]],
    [mail, { effect: 'create', untrusted_content: 'chat' }, ['chat', true]],
    [mail, { untrusted_content: 'none' }, [undefined, false]],
    [mail, { sends_data: true }, ['mail', true]],
    [{ categories: ['search'] }, {}, ['web', true]],
    [{ categories: ['search'] }, { sends_data: false }, ['web', false]],
    [{ ...mail, untrusted_content: 'web' }, {}, ['web', true]],
    [{ ...mail, untrusted_content: 'none' }, {}, [undefined, false]],
  ] as const)
    assert.deepEqual(flowOf(toolkit, tool), expected, JSON.stringify([toolkit, tool]))
})

test('data flow of tools: a proxied request may read and send anything that its toolkit has', () => {
  const catalog = catalogOf({ categories: ['email'] }, [{ untrusted_content: 'none', sends_data: false }])
  const toolkit = catalog.toolkit('shop')!
  for (const method of ['GET', 'POST'] as const)
    assert.deepEqual(
      dataFlowOf({ toolkit, version: toolkit.version, tool: createProxyTool(toolkit, method) }, true),
      { reads: 'mail', sends: true },
    )
})
