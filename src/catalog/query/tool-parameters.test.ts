import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../manifest/load/load.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { toFlatParameters, toObjectSchema, toolParameters } from './tool-parameters.ts'

const schema = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'Who.', examples: ['a@b.co'] },
    cc: {
      type: 'array',
      items: { type: 'string', description: 'One.' },
      default: [],
      description: 'Copies.',
    },
    kind: {
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
      default: null,
      description: 'Kind.',
    },
    size: { type: ['integer', 'null'], description: 'Size.' },
    start: {
      type: 'object',
      description: 'Start.',
      properties: { zone: { type: 'string', description: 'Zone.' }, at: { type: 'string' } },
      required: ['at'],
    },
    rows: {
      type: 'array',
      description: 'Rows.',
      items: { type: 'object', properties: { a: { type: 'number', description: 'A.' } }, required: ['a'] },
    },
    constructor: { enum: [1, 2], description: 'Odd name.' },
  },
  required: ['to', 'start'],
}

test('tool parameters: the flat form has one descriptor per parameter, also nested ones', () => {
  assert.deepEqual(toFlatParameters(schema), {
    to: { type: 'string', description: 'Who.', required: true, examples: ['a@b.co'] },
    cc: {
      type: 'array',
      default: [],
      items: { type: 'string', description: 'One.' },
      description: 'Copies.',
      required: false,
      examples: [],
    },
    kind: {
      type: 'string',
      default: null,
      enum: ['a', 'b'],
      description: 'Kind.',
      required: false,
      examples: [],
    },
    size: { type: 'integer', description: 'Size.', required: false, examples: [] },
    start: {
      type: 'object',
      description: 'Start.',
      required: true,
      examples: [],
      properties: {
        zone: { type: 'string', description: 'Zone.', required: false, examples: [] },
        at: { type: 'string', description: '', required: true, examples: [] },
      },
    },
    rows: {
      type: 'array',
      description: 'Rows.',
      required: false,
      examples: [],
      items: {
        type: 'object',
        properties: { a: { type: 'number', description: 'A.', required: true, examples: [] } },
      },
    },
    constructor: { type: 'number', enum: [1, 2], description: 'Odd name.', required: false, examples: [] },
  })
})

test('tool parameters: the JSON Schema form always has type, title, properties and required', () => {
  assert.deepEqual(toObjectSchema({}, 'Empty'), {
    type: 'object',
    title: 'Empty',
    properties: {},
    required: [],
  })
  const view = toObjectSchema({ ...schema, additionalProperties: false, $schema: 'x' }, 'T')
  assert.deepEqual(
    [view.additionalProperties, view.$schema, view.required],
    [false, undefined, ['to', 'start']],
  )
  assert.deepEqual(view.properties, schema.properties)
})

test('tool parameters: the output schema has data, error and successful', () => {
  const tool = catalogFromSources([sampleSource({}, [sampleTool()])]).tool('SHOP_GET_ORDER', 'latest')!.tool
  const { input, output, flatOutput } = toolParameters(tool)
  assert.deepEqual([input.title, output.title], ['GetOrderRequest', 'GetOrderResponseWrapper'])
  assert.deepEqual(
    [Object.keys(output.properties as object), output.required],
    [
      ['data', 'error', 'successful'],
      ['data', 'successful'],
    ],
  )
  assert.equal((flatOutput.data as { properties: { id: { type: string } } }).properties.id.type, 'string')
  assert.equal((flatOutput.error as { type: string }).type, 'string')
})

test('tool parameters: both forms are cached and immutable', () => {
  const tool = catalogFromSources([sampleSource()]).tool('SHOP_GET_ORDER', 'latest')!.tool
  assert.equal(toolParameters(tool), toolParameters(tool))
  assert.throws(() => {
    ;(toolParameters(tool).input as { title: string }).title = 'x'
  }, TypeError)
  assert.throws(() => {
    ;(toolParameters(tool).flatInput.id as { type: string }).type = 'x'
  }, TypeError)
})
