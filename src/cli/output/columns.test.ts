import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../contract/index.ts'
import { COLUMNS, columnsOf } from './columns.ts'

interface Schema {
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** Fields of an object, also of the variants that it may be. */
const fieldsOf = (schema: Schema): Record<string, Schema> =>
  Object.assign({}, schema.properties, ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(fieldsOf))

/** The schemas of the rows of each operation whose response is a list. */
const lists = routes.flatMap(({ id, reply }) => {
  const { items, data, logs } = fieldsOf((reply ?? {}) as Schema)
  const list = [items, data, logs].find((field) => field?.type === 'array')
  return list?.items && Object.keys(fieldsOf(list.items)).length > 0 ? [{ id, row: list.items }] : []
})

test('cli tables: every list has its own columns', () => {
  assert.ok(lists.length > 30, `${lists.length} lists`)
  assert.deepEqual(
    lists.map(({ id }) => id).filter((id) => !Object.hasOwn(COLUMNS, id)),
    [],
  )
})

test('cli tables: every column is a field of the rows', () => {
  const hasField = (schema: Schema, [name = '', ...rest]: string[]): boolean => {
    if (/^\d+$/.test(name)) return schema.items !== undefined && hasField(schema.items, rest)
    const field = fieldsOf(schema)[name]
    const isOpen =
      field !== undefined && Object.keys(fieldsOf(field)).length === 0 && field.items === undefined
    return field !== undefined && (rest.length === 0 || isOpen || hasField(field, rest))
  }
  const unknown = lists.flatMap(({ id, row }) =>
    columnsOf(COLUMNS[id] ?? '')
      .filter(({ path }) => !hasField(row, path.split('.')))
      .map(({ path }) => `${id}: ${path}`),
  )
  assert.deepEqual(unknown, [])
})
