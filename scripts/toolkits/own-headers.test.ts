import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../src/catalog/importers/model.ts'
import { withOwnHeaders } from './own-headers.ts'

const stating = (schema: unknown) =>
  ({ parameters: [{ name: 'Version', in: 'header', schema: { value: schema } }] }) as unknown as Operation
const request = { method: 'GET', path: '/calendars' } as const
const headers = { version: '2021-07-28' }

test('generated tools: an operation of an older version of the API sends that version instead of the one of the toolkit', () => {
  assert.deepEqual(withOwnHeaders(request, stating({ enum: ['2021-04-15'] }), headers), {
    ...request,
    headers: { version: '2021-04-15' },
  })
})

test('generated tools: a header of the toolkit stays where the document has its value, several or none', () => {
  for (const schema of [{ enum: ['2021-07-28'] }, { enum: ['2021-04-15', '2021-07-28'] }, { type: 'string' }])
    assert.deepEqual(withOwnHeaders(request, stating(schema), headers), request)
  assert.deepEqual(withOwnHeaders(request, { parameters: [] }, headers), request)
})
