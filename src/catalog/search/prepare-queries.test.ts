import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../index.ts'
import { prepareQueries } from './prepare-queries.ts'
import { prepareSpelling } from './query/vocabulary.ts'
import { translate } from './query/translate.ts'
import { searchToolkits } from './segments/catalog-documents.ts'
import { indexOf } from './tool-search.ts'

test('search: what the first query needs is prepared in pieces, once', () => {
  const first = [...prepareQueries()].length
  assert.ok(first > [...prepareQueries()].length && first > 10, `${first} pieces`)
  assert.equal(translate('Lösche die Datei').language, 'de')
  const segment = indexOf(searchToolkits(catalogFromSources([sampleSource()])))
  assert.ok([...prepareSpelling(segment)].length >= 4)
  assert.equal([...prepareSpelling(segment)].length, 0)
})
