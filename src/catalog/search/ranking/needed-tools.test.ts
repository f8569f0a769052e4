import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleDocument } from '#fixtures/search-index.ts'
import { catalogFromSources } from '../../index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { createToolSearch, indexOf } from '../tool-search.ts'
import { searchToolkit } from '../segments/catalog-documents.ts'

const NOTES = Array.from({ length: 8 }, (_, at) =>
  sampleDocument(`DESK_NOTE_${at}`, `Delete a note of kind ${at}`, 'Deletes a note.'),
)
const search = (needs: readonly string[]) =>
  createToolSearch(
    indexOf([
      {
        slug: 'desk',
        name: 'Desk',
        description: '',
        hosts: [],
        tools: [
          sampleDocument('DESK_DELETE', 'Delete a note', 'Deletes a note.', { needs, effect: 'delete' }),
          ...NOTES,
          sampleDocument('DESK_LOOKUP', 'Look up identifiers', 'Returns identifiers.'),
        ],
      },
    ]),
  )
const find = (needs: readonly string[], options = {}) =>
  search(needs).find('delete a note', { limit: 10, explain: true, ...options }).tools

test('search: a tool that returns what the first one needs is the fifth', () => {
  const tools = find(['DESK_LOOKUP'])
  assert.equal(tools[0]!.slug, 'DESK_DELETE')
  assert.equal(tools[4]!.slug, 'DESK_LOOKUP')
  const { signals, score } = tools[4]!
  assert.ok(signals!.needed! > 0)
  assert.ok(Math.abs(Object.values(signals!).reduce((sum, value) => sum + value, 0) - score) < 1e-9)
  assert.equal(
    find([]).findIndex(({ slug }) => slug === 'DESK_LOOKUP'),
    -1,
  )
})

test('search: a needed tool that the caller may not see, or that is there, is not added', () => {
  const allowed = find(['DESK_LOOKUP'], { allows: (slug: string) => slug !== 'DESK_LOOKUP' })
  assert.ok(allowed.every(({ slug }) => slug !== 'DESK_LOOKUP'))
  assert.deepEqual(
    find(['DESK_NOTE_2', 'DESK_UNKNOWN']).map(({ slug }) => slug),
    find([]).map(({ slug }) => slug),
  )
})

test('search: tools that descriptions of required arguments name are needed', () => {
  const argument = (description: string) => ({ type: 'string', description })
  const catalog = catalogFromSources([
    sampleSource(
      { slug: 'desk', name: 'Desk' },
      [
        sampleTool({
          slug: 'DESK_DELETE',
          input: {
            type: 'object',
            properties: { id: argument('From DESK_LIST.'), note: argument('From DESK_NOTES.') },
            required: ['id'],
          },
          request: { method: 'POST', path: '/notes/{id}', body: { note: '{note}' } },
        }),
      ],
      { slug: 'desk' },
    ),
  ])
  assert.deepEqual(searchToolkit(catalog, 'desk').tools[0]!.needs, ['DESK_LIST'])
})
