import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, imported, tool, TEXT, loads } from '#fixtures/mcp-import.ts'

const only = (more: Json) => imported([tool('act', more)]).tools[0]!

/** The schema of a server, and what the tool takes. */
const INPUT_SCHEMAS = [
  [{ type: 'object' }, { type: 'object', properties: {}, additionalProperties: true }],
  [
    { type: 'object', properties: {} },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  [
    { type: 'object', properties: { a: TEXT }, additionalProperties: { type: 'integer' } },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' } },
      additionalProperties: { type: 'integer' },
    },
  ],
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/In',
      definitions: {
        In: {
          type: 'object',
          properties: { n: { $ref: '#/definitions/N' } },
          required: ['n'],
          additionalProperties: false,
        },
        N: { type: 'integer', minimum: 1, description: 'How many.' },
      },
    },
    {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, description: 'How many.' } },
      required: ['n'],
      additionalProperties: false,
    },
  ],
  [
    {
      type: 'object',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      properties: { node: { $ref: '#/$defs/Node' } },
    },
    {
      type: 'object',
      properties: {
        node: {
          type: 'object',
          properties: {
            next: { type: 'object', description: 'Again an object of the kind that holds it.' },
          },
          description: 'Node.',
        },
      },
      additionalProperties: false,
    },
  ],
  [
    { allOf: [{ type: 'object', properties: { a: TEXT }, required: ['a'] }, { properties: { b: TEXT } }] },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' }, b: { type: 'string', description: 'B.' } },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    {
      type: 'object',
      oneOf: [
        { properties: { a: TEXT, k: TEXT }, required: ['a', 'k'] },
        { properties: { b: TEXT, k: TEXT }, required: ['b', 'k'] },
      ],
    },
    {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A.' },
        k: { type: 'string', description: 'K.' },
        b: { type: 'string', description: 'B.' },
      },
      required: ['k'],
      additionalProperties: true,
    },
  ],
  [
    {
      type: 'object',
      properties: {
        far: { $ref: 'https://evil.example/schema.json' },
        p: { type: 'string', pattern: '^(a+)+$', default: 'a' },
      },
    },
    {
      type: 'object',
      properties: {
        far: { description: 'Far.' },
        p: { type: 'string', description: 'P. Default: a. Pattern: ^(a+)+$' },
      },
      additionalProperties: false,
    },
  ],
  [
    { type: 'object', properties: { 'odd name': TEXT, constructor: TEXT } },
    {
      type: 'object',
      properties: {
        'odd name': { type: 'string', description: 'Odd name.' },
        constructor: { type: 'string', description: 'Constructor.' },
      },
      additionalProperties: false,
    },
  ],
] as [Json, Json][]

test('MCP import: schemas of every draft become input schemas that compile', () => {
  for (const [inputSchema, expected] of INPUT_SCHEMAS) {
    const made = imported([tool('act', { inputSchema })])
    assert.deepEqual(made.tools[0]!.input, expected, JSON.stringify(inputSchema))
    loads(made)
  }
  assert.deepEqual(
    only({
      outputSchema: {
        type: 'array',
        items: { $ref: '#/$defs/I' },
        $defs: { I: { type: 'object', properties: { id: TEXT } } },
      },
    }).output,
    {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties: { id: TEXT } } } },
    },
  )
})

test('MCP import: header arguments are marked, and a tool with an invalid mark is skipped', () => {
  const marked = (properties: Json, more: Json = {}) =>
    imported([tool('fine'), tool('act', { inputSchema: { type: 'object', properties, ...more } })])
  assert.deepEqual(
    marked({
      region: { ...TEXT, 'x-mcp-header': 'Region' },
      at: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
    }).tools[1]!.mcp,
    { tool: 'act', headers: { Region: 'region', N: 'at.n' } },
  )
  for (const [properties, more] of [
    [{ a: { ...TEXT, 'x-mcp-header': 'a b' } }],
    [{ a: { ...TEXT, 'x-mcp-header': '' } }],
    [{ a: { type: 'number', 'x-mcp-header': 'A' } }],
    [{ a: { ...TEXT, 'x-mcp-header': 'A' }, b: { ...TEXT, 'x-mcp-header': 'a' } }],
    [{ 'a.b': { ...TEXT, 'x-mcp-header': 'A' } }],
    [{ a: { type: 'array', items: { ...TEXT, 'x-mcp-header': 'A' } } }],
    [{}, { $defs: { D: { ...TEXT, 'x-mcp-header': 'A' } } }],
    [{ a: { ...TEXT, 'x-mcp-header': 'A\r\nx: y' } }],
  ] as [Json, Json?][])
    assert.deepEqual(
      marked(properties, more).report.refused.map(({ cause }) => cause),
      ['not_readable'],
      JSON.stringify(properties),
    )
  assert.deepEqual(marked({ 'x-mcp-header': TEXT }).report.refused, [])
})
