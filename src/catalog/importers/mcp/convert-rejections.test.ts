import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ImportRejected } from '../index.ts'
import { imported, tool, TEXT, type Json, loads } from '#fixtures/mcp-import.ts'

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

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    -1,
    '{',
    '{x}',
    '#',
    '__proto__',
    { $ref: '#' },
    { $ref: 5 },
    { __proto__: null, 'x-mcp-header': 'A' },
    true,
  ),
)

test('MCP import: any tool list is rejected or gives a toolkit that loads', () => {
  const places: string[][] = []
  const visit = (value: unknown, at: string[]) => {
    if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        places.push([...at, key])
        visit(inner, [...at, key])
      }
  }
  visit(base, [])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...places), junk), { minLength: 1, maxLength: 4 }),
      fc.jsonValue({ maxDepth: 2 }),
      (spoilt, info) => {
        const copy = structuredClone(base)
        for (const [path, value] of spoilt) {
          const parent = path
            .slice(0, -1)
            .reduce<unknown>(
              (at, key) => (at !== null && typeof at === 'object' ? (at as Json)[key] : undefined),
              copy,
            )
          if (parent !== null && typeof parent === 'object')
            (parent as Json)[path.at(-1)!] = structuredClone(value)
        }
        try {
          loads(imported([copy, tool('other')], { serverInfo: info, instructions: info }))
        } catch (error) {
          if (!(error instanceof ImportRejected)) throw error
        }
      },
    ),
    { numRuns: 300 },
  )
})
