import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SITE_KEYS } from './field-tables-of-accounts.ts'
import { ALL_FIELD_TABLES } from './fields.ts'
import type { FieldType } from './field-tables.ts'
import { collectSamples } from './samples.ts'

/** All values at a path; `*` stands for each value of a map or a list, and a missing field is undefined. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (name === '*') return Object.values(value).flatMap((one) => valuesAt(one, rest))
  const child = (value as Record<string, unknown>)[name]
  return child === undefined ? (rest.length ? [] : [undefined]) : valuesAt(child, rest)
}

const isTimestamp = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  strings: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  timestamp: isTimestamp,
}

/** Returns what is wrong with a field over all samples, or undefined. */
function problemOf(samples: readonly unknown[], path: string, type: FieldType): string | undefined {
  const base = type.replace(/\?$| \| null$/, '')
  const isOfType = IS_OF_TYPE[base] as (value: unknown) => boolean
  const values = samples.flatMap((sample) => valuesAt(sample, path.split('.')))
  if (!values.some(isOfType)) return `${path}: no sample has a value of type ${base}`
  const isAllowed = (value: unknown) =>
    isOfType(value) ||
    (type.endsWith('?') && value === undefined) ||
    (type.endsWith('| null') && value === null)
  const wrong = values.find((value) => !isAllowed(value))
  return wrong === undefined && values.every(isAllowed)
    ? undefined
    : `${path}: ${JSON.stringify(wrong)} is not ${type}`
}

test('fields: responses of v3 have every field that the specification names, with its type', async (t) => {
  const samples = await collectSamples(t, SITE_KEYS)
  for (const table of ALL_FIELD_TABLES)
    await t.test(table.sample, () => {
      const responses = samples[table.sample] ?? []
      assert.ok(responses.length > 0, `there is a sample of ${table.sample}`)
      const problems = Object.entries(table.fields).map(([path, type]) => problemOf(responses, path, type))
      assert.deepEqual(
        problems.filter((problem) => problem !== undefined),
        [],
      )
    })
})

test('fields: the check finds missing fields, wrong types and missing samples', () => {
  const sample = { a: 'x', list: [{ n: 1 }, {}], at: 'yesterday', none: null }
  for (const [path, type, expected] of [
    ['a', 'string', undefined],
    ['a', 'number', 'a: no sample has a value of type number'],
    ['b', 'string', 'b: no sample has a value of type string'],
    ['list.*.n', 'number', 'list.*.n: undefined is not number'],
    ['list.*.n', 'number?', undefined],
    ['at', 'timestamp', 'at: no sample has a value of type timestamp'],
    ['none', 'string | null', 'none: no sample has a value of type string'],
  ] as const)
    assert.equal(problemOf([sample], path, type), expected, path)
  assert.equal(problemOf([sample, { none: 'x' }], 'none', 'string | null'), undefined)
})
