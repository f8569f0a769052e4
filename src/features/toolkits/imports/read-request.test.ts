import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestTurns, runInTurn } from '../../../platform/http/turns/request-turns.ts'
import { readImportRequest } from './read-request.ts'

test('imports: a document is serialized in slices, with the same text as in one piece', async () => {
  const content = { openapi: '3.1.0', paths: { '/things': { get: { summary: 'Dinge: ä' } } } }
  let works = 0
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start('a', 'import', () => new AbortController().signal, 0)
  const startSlices = () => {
    works++
  }
  const observed = Object.assign(turn, { startSlices })
  const { source } = await runInTurn(observed, () => readImportRequest({ content }))
  assert.deepEqual([String(source.bytes), works], [JSON.stringify(content), 1])
  const asText = await runInTurn(observed, () => readImportRequest({ content: JSON.stringify(content) }))
  assert.deepEqual([String(asText.source.bytes), works], [JSON.stringify(content), 1])
})
