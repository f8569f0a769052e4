import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FileBytes } from '../compile/request/file-argument.ts'
import { compileEntry } from '../compile/tool.ts'
import { openCatalog } from './lazy/index.ts'
import { loadCatalog } from './load.ts'
import { readAllTools } from '../../query/select.ts'
import type { JsonSchema, Tool } from '../../types/index.ts'
import { renderRequest } from '../compile/request/request.ts'
import { toolParameters } from '../../query/tool-parameters.ts'

const folder = fileURLToPath(new URL('../../../../toolkits', import.meta.url))

test('shipped toolkits: every toolkit loads without diagnostics', async () => {
  const catalog = await loadCatalog({ folder, lint: true })
  assert.ok(catalog.toolkits.length > 0)
})

test('shipped toolkits: lists, which compile nothing, have what is compiled', async () => {
  const opened = openCatalog({ folder, operations: false })
  for (const toolkit of (await loadCatalog({ folder, operations: false })).toolkits) {
    const { schemeModes, triggerCount, tools } = opened.toolkit(toolkit.slug)!
    const modes = toolkit.schemes.map(({ mode }) => mode)
    assert.deepEqual([schemeModes, triggerCount], [modes, toolkit.triggerCount], toolkit.slug)
    assert.deepEqual(
      tools,
      toolkit.tools.map((tool) => compileEntry((tool as Tool).manifest, toolkit.manifest)),
    )
  }
})

test('shipped toolkits: every tool has both parameter forms, and either a request or code', async () => {
  for (const tool of readAllTools(await loadCatalog({ folder, operations: false }))) {
    const { flatInput, output } = toolParameters(tool)
    assert.equal(
      Object.keys(flatInput).length,
      Object.keys((tool.input.properties ?? {}) as object).length,
      tool.slug,
    )
    assert.ok(output.title)
    assert.equal((tool.request === undefined) !== (tool.code === undefined), true, tool.slug)
  }
})

test('shipped toolkits: every request renders with all arguments and with the required ones only', async () => {
  for (const tool of readAllTools(await loadCatalog({ folder, operations: false }))) {
    if (!tool.request) continue
    const all = argumentsFor(tool)
    const required = Object.fromEntries(
      ((tool.input.required ?? []) as string[]).map((name) => [name, all[name]]),
    )
    const address = tool.request.path.parts[0]
    for (const args of [all, required]) {
      const request = renderRequest(tool.request, args, (name) =>
        typeof address !== 'string' && address?.alternatives.some((one) => 'name' in one && one.name === name)
          ? 'https://x.example'
          : 'value:1',
      )
      assert.match(request.path, /^(\/|https?:\/\/)/, tool.slug)
      assert.doesNotMatch(
        JSON.stringify(request.query) + JSON.stringify(request.headers),
        /undefined|\[object/,
        tool.slug,
      )
    }
  }
})

/** Some value for every property of a tool's input. */
function argumentsFor(tool: Tool): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries((tool.input.properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => [
      name,
      sampleOf(schema),
    ]),
  )
}

function sampleOf(schema: JsonSchema): unknown {
  if (schema['file_uploadable'] === true) return new FileBytes('a.txt', 'text/plain', Buffer.from('a'))
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (branches) return sampleOf(branches[0]!)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return [sampleOf((schema.items ?? {}) as JsonSchema)]
  if (type === 'object') return { a: 1 }
  return type === 'integer' || type === 'number' ? 1 : type === 'boolean' ? true : 'x'
}
