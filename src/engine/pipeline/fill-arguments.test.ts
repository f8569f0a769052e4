import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillArguments } from './fill-arguments.ts'

const input = {
  type: 'object',
  properties: { limit: { type: 'integer', default: 5 }, rows: { type: 'array' } },
}

async function fill(args: Record<string, unknown>, ownsArguments: boolean | undefined) {
  const context = {
    call: { arguments: args, ownsArguments },
    resolvedTool: { tool: { slug: 'A', input, limits: {} } },
  }
  const filled = await fillArguments(context as never, {} as never)
  assert.equal(filled.argumentsError, undefined)
  return filled.arguments
}

test('arguments: defaults are filled into a copy, except into large arguments that nothing else uses', async () => {
  const large = () => ({ rows: Array.from({ length: 30_000 }, (_, n) => `row ${n}`) })
  for (const [args, owns] of [
    [{ rows: [] }, undefined],
    [{ rows: [] }, true],
    [large(), undefined],
  ] as const) {
    const filled = await fill(args, owns)
    assert.deepEqual([filled, 'limit' in args], [{ ...args, limit: 5 }, false])
    assert.notEqual(filled['rows'], args.rows)
  }
  const own: Record<string, unknown> = large()
  const filled = await fill(own, true)
  assert.equal(filled, own)
  assert.equal(filled['limit'], 5)
})
