import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolFailure } from '../src/catalog/code-tool.ts'
import { readBuiltInToolkit } from './fixtures/built-in-toolkits.ts'
import { tools } from '../toolkits/utilities/tools.ts'
import { run } from './fixtures/utilities.ts'

const { tools: declared } = await readBuiltInToolkit('utilities')

test('utilities: declaration: declares exactly the tools that exist', () => {
  assert.deepEqual(declared.map(({ slug }) => slug).toSorted(), Object.keys(tools).toSorted())
})

test('utilities: declaration: wrong types are a failure, never a crash', async () => {
  for (const slug of Object.keys(tools)) {
    for (const value of [null, 7, [], {}, 'x'.repeat(3_000_000), Number.NaN]) {
      const names = [
        'text',
        'time',
        'start',
        'date',
        'expression',
        'csv',
        'rows',
        'timezone',
        'count',
        'value',
        'key',
        'length',
        'replacements',
        'days',
      ]
      await run(
        slug.slice('UTILITIES_'.length),
        Object.fromEntries(names.map((name) => [name, value])),
      ).catch((error) => assert.ok(error instanceof ToolFailure, `${slug} ${typeof value}: ${error}`))
    }
  }
})
