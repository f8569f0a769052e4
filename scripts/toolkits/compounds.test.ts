import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCompounds, withCompounds } from './compounds.ts'
import type { SelectedOperation } from './operations.ts'

const operation = (path: string, summary: string, tags: string[] = []) =>
  ({ path, operation: { summary, id: undefined, tags } }) as unknown as SelectedOperation

test('compounds: a word of a path is divided as a sentence of the vendor has it', () => {
  const compounds = findCompounds([
    operation('/contacts/contactpersons', 'Get a contact person'),
    operation('/storagelocations', 'List all', ['Storage Locations']),
  ])
  assert.equal(withCompounds('/contacts/{id}/contactpersons', compounds), '/contacts/{id}/contact-persons')
  assert.equal(withCompounds('/storagelocations/{id}', compounds), '/storage-locations/{id}')
})

test('compounds: a word that the vendor also writes as one, or divides in two ways, stays', () => {
  const compounds = findCompounds([
    operation('/webhooks', 'List web hooks'),
    operation('/webhooks/{id}', 'Get webhooks by id'),
    operation('/carepairs', 'Care pairs and car epairs'),
    operation('/bills', 'List all'),
  ])
  assert.deepEqual([...compounds], [])
})
