import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineDefinitions } from '../src/catalog/manifest/load/definitions.ts'
import { printJson } from './print-json.ts'
import { shareSchemas, type Tool } from './share-schemas.ts'

const user = (description?: string) => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  properties: Object.fromEntries(
    ['id', 'name', 'email', 'url', 'avatar'].map((name) => [
      name,
      { type: 'string', description: `The ${name} of the user, as the application returns it.` },
    ]),
  ),
})
const text = (description: string) => ({ type: 'string', description })
const issue = {
  type: 'object',
  properties: {
    title: text('Title of the issue, in one line.'),
    body: text('Text of the issue in Markdown, which may be empty.'),
    state: text('State of the issue: open, closed or archived.'),
    created_at: text('Time at which the issue was created, in ISO 8601.'),
    author: user('Who wrote it.'),
    reviewer: user(),
  },
}
const tools: Tool[] = [
  { slug: 'SHOP_GET_ISSUE', output: issue, request: { path: '/issue' } },
  {
    slug: 'SHOP_LIST_ISSUES',
    output: { type: 'object', properties: { items: { type: 'array', items: issue } } },
  },
  { slug: 'SHOP_GET_USER', output: user('A user.') },
]

test('split-toolkit: shared schemas that are written out again are the schemas of before', () => {
  const { tools: split, definitions } = shareSchemas('shop', tools)
  const faults: string[] = []
  const inlined = inlineDefinitions(split, definitions, { add: (path, reason) => faults.push(path + reason) })
  assert.deepEqual([inlined, faults], [tools, []])
})

test('split-toolkit: definitions have the names of what they describe, and uses have their own descriptions', () => {
  const { tools: split, definitions } = shareSchemas('shop', tools)
  assert.deepEqual(Object.keys(definitions), ['author', 'issue'])
  assert.deepEqual(split[0], {
    slug: 'SHOP_GET_ISSUE',
    output: { $ref: '#/$defs/issue' },
    request: { path: '/issue' },
  })
  assert.equal('description' in definitions['author']!, false)
  assert.deepEqual(split[2]!['output'], { $ref: '#/$defs/author', description: 'A user.' })
})

test('split-toolkit: a schema that is used once, or is short, stays where it is', () => {
  const short = { type: 'string', description: 'Id.' }
  const once: Tool[] = [
    { slug: 'SHOP_GET_USER', input: { type: 'object', properties: { id: short } }, output: user() },
    {
      slug: 'SHOP_DELETE_USER',
      input: { type: 'object', properties: { id: short } },
      output: text('Result.'),
    },
  ]
  assert.deepEqual(shareSchemas('shop', once), { tools: once, definitions: {} })
})

test('print-json: a value that fits is on one line, and the output parses to the same value', () => {
  const value = { slug: 'SHOP', tags: ['a'], empty: {}, none: [], input: user('With a "quote".') }
  const printed = printJson(value)
  assert.deepEqual(JSON.parse(printed), value)
  assert.ok(printed.startsWith('{\n  "slug": "SHOP",\n  "tags": ["a"],\n  "empty": {},\n  "none": [],\n'))
  assert.ok(printed.split('\n').every((line) => line.length <= 120))
})
