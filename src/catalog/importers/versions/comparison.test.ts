import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleImport } from '#fixtures/custom-toolkits.ts'
import type { Imported } from '../imported.ts'
import { compareContents } from './comparison.ts'

const slugOf = (at: number) => `WARES_T${String(at).padStart(3, '0')}`

/** A toolkit of 220 tools with the same arguments. */
function wares(properties: object): Imported {
  const tools = Array.from({ length: 220 }, (_, at) => [slugOf(at), 'Count crates'] as const)
  const imported = sampleImport('wares', tools)
  const input = { type: 'object', properties }
  return { ...imported, tools: imported.tools.map((tool) => ({ ...tool, input })) } as Imported
}

const fields = (description: string) =>
  Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, { type: 'string', description }]))

test('comparison: all changed tools are named, and the changes of the first hundred of each kind are listed', () => {
  const changesFrom = (properties: object) =>
    compareContents(wares(properties), wares(fields('New.'))).difference.changed.map(
      ({ slug, breaking, other }) => [slug, breaking.length, other.length],
    )
  const expected = (listed: number[], rest: number[]) =>
    Array.from({ length: 220 }, (_, at) => [slugOf(at), ...(at < 100 ? listed : rest)])
  assert.deepEqual(changesFrom(fields('Old.')), expected([0, 20], [0, 1]))
  const more = { ...fields('Old.'), gone: { type: 'string' }, lost: { type: 'string' } }
  assert.deepEqual(changesFrom(more), expected([2, 20], [1, 0]))
})
