import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ImportRejected } from '../index.ts'
import { damaged, rejectionOf } from '#fixtures/imported-toolkits.ts'
import { imported, tool, TEXT, loads } from '#fixtures/mcp-import.ts'

test('MCP import: unusable tools are skipped with the cause, and a server without tools is rejected', () => {
  const { report, tools } = imported([
    null,
    7,
    {},
    tool(''),
    tool('x'.repeat(300)),
    tool('a\nb'),
    tool('good'),
    tool('good'),
    tool('no', { inputSchema: undefined }),
    tool('task', { execution: { taskSupport: 'required' } }),
    tool('deep', { inputSchema: JSON.parse(`${'{"properties":{"a":'.repeat(150)}{}${'}}'.repeat(150)}`) }),
  ])
  assert.deepEqual(
    [tools.map(({ slug }) => slug), report.refused.map(({ cause }) => cause)],
    [
      ['SHOP_MCP_GOOD'],
      [...Array(6).fill('unsafe_name'), 'unsafe_name', 'not_readable', 'unsupported_method', 'too_large'],
    ],
  )
  for (const tools of [[], [null]])
    assert.throws(
      () => imported(tools),
      (error: ImportRejected) => error.why === 'no_operations',
    )
  const many = imported([
    tool('wide', {
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 900 }, (_, index) => [
            `p${index}`,
            { type: 'string', description: 'Long words. '.repeat(40) },
          ]),
        ),
      },
    }),
  ])
  assert.ok(JSON.stringify(many.tools).length < 110_000)
})

const base = tool('act', {
  title: 'Act',
  annotations: { readOnlyHint: true },
  outputSchema: {
    type: 'object',
    properties: { a: { $ref: '#/$defs/A' } },
    $defs: { A: { anyOf: [{ $ref: '#' }, TEXT] } },
  },
  inputSchema: {
    type: 'object',
    $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } },
    properties: { a: { $ref: '#/$defs/A' }, b: { type: ['string', 'null'], enum: ['x', null] } },
    required: ['a'],
  },
})

const JUNK = ['{x}', '__proto__', { $ref: '#' }, { $ref: 5 }, { __proto__: null, 'x-mcp-header': 'A' }]

test('MCP import: any tool list is rejected or gives a toolkit that loads', () => {
  fc.assert(
    fc.property(damaged(base, JUNK), fc.jsonValue({ maxDepth: 2 }), (copy, info) => {
      rejectionOf(() => loads(imported([copy, tool('other')], { serverInfo: info, instructions: info })))
    }),
    { numRuns: 300 },
  )
})
