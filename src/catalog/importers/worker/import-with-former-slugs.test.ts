import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleDocument } from '#fixtures/openapi-documents.ts'
import { importWithFormerSlugs } from './import-with-former-slugs.ts'

const ADDRESS = 'https://x.example/api.json'
const document = (operationId: string) =>
  JSON.stringify(sampleDocument({ '/things': { get: { operationId, responses: {} } } }))

/** Imports a document from an address, after an import that gave these slugs. */
async function importAfter(origins: Record<string, string> | undefined, slug?: string) {
  const calls: string[] = []
  const { imported, previous } = await importWithFormerSlugs(
    { kind: 'auto', address: ADDRESS },
    { slug },
    {
      fetchText: async (address) => {
        calls.push(address)
        return document('listThings')
      },
      readPrevious: async (toolkit) => {
        calls.push(toolkit)
        return origins && { digest: 'd', content: new Uint8Array(), origins: JSON.stringify(origins) }
      },
    },
  )
  return { slugs: imported.tools.map((tool) => tool.slug), calls, previous: previous?.digest }
}

test('former slugs: a document is read again only if the former slugs differ', async () => {
  assert.deepEqual(await importAfter(undefined), {
    slugs: ['SHOP_LIST_THINGS'],
    calls: [ADDRESS, 'shop'],
    previous: undefined,
  })
  assert.deepEqual(await importAfter({ 'GET /things': 'SHOP_LIST_THINGS' }), {
    slugs: ['SHOP_LIST_THINGS'],
    calls: [ADDRESS, 'shop'],
    previous: 'd',
  })
  assert.deepEqual(await importAfter({ 'GET /things': 'SHOP_OLD' }), {
    slugs: ['SHOP_OLD'],
    calls: [ADDRESS, 'shop', ADDRESS],
    previous: 'd',
  })
  const other = await importAfter({ 'GET /others': 'SHOP_LIST_THINGS' })
  assert.notDeepEqual(other.slugs, ['SHOP_LIST_THINGS'], 'the slug belongs to another operation')
})

test('former slugs: with the slug of the toolkit, a document is read once', async () => {
  assert.deepEqual(await importAfter({ 'GET /things': 'SHOP_OLD' }, 'shop'), {
    slugs: ['SHOP_OLD'],
    calls: ['shop', ADDRESS],
    previous: 'd',
  })
})
