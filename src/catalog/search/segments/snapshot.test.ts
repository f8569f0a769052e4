import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { overlayCatalogs } from '../../query/overlay.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { prepareSearch, searchOf, searchReady } from '../catalog-search.ts'
import { decodeSegment, encodeSegment } from './snapshot.ts'
import { CHAT, CODE, MAIL } from '#fixtures/search-index.ts'
import { createToolSearch, indexOf } from '../tool-search.ts'
import { EMPTY_VECTORS, readVectors, writeVectors } from '../ranking/vectors.ts'

const KEY = 'a'.repeat(64)

test('search snapshot: a stored index returns the same results as the original', () => {
  const segment = indexOf([MAIL, CHAT, CODE])
  const file = encodeSegment(segment, KEY)
  for (const bytes of [file, Buffer.concat([Buffer.alloc(3), file]).subarray(3)]) {
    const read = decodeSegment(bytes, KEY)
    assert.ok(read)
    for (const text of ['send a message', 'create issue with code hub', 'archive'])
      assert.deepEqual(
        createToolSearch(read).find(text, { limit: 9 }),
        createToolSearch(segment).find(text, { limit: 9 }),
      )
  }
  const empty = decodeSegment(encodeSegment(indexOf([]), KEY), KEY)
  assert.deepEqual(empty && createToolSearch(empty).find('send', { limit: 1 }).tools, [])
})

test('search snapshot: a foreign, truncated or damaged snapshot is not used', () => {
  const file = encodeSegment(indexOf([MAIL]), KEY)
  assert.equal(decodeSegment(file, 'b'.repeat(64)), undefined)
  for (const end of [0, 3, 7, 8, 40, file.length - 1])
    assert.equal(decodeSegment(file.subarray(0, end), KEY), undefined, `${end} bytes`)
  for (const at of [0, 5, 12, file.length >> 1, file.length - 20]) {
    const damaged = Buffer.from(file)
    damaged[at]! ^= 0x55
    assert.equal(decodeSegment(damaged, KEY), undefined, `byte ${at}`)
  }
})

test('search snapshot: a large catalogue is indexed in a worker, saved, and read at the next start', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-search-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const make = (name: string) =>
    catalogFromSources([
      sampleSource(
        {},
        Array.from({ length: 101 }, (_, at) =>
          sampleTool({ slug: `SHOP_GET_${at}`, name: at === 77 ? name : `Get order ${at}` }),
        ),
      ),
    ])
  const [first, again] = [make('Fetch the crown jewels'), make('Fetch the crown jewels')]
  const best = (catalog: typeof first, text: string) =>
    searchOf(catalog).find(text, { limit: 1 }).tools[0]?.slug
  await prepareSearch(first, { folder, buildHereMax: 100 })
  assert.equal(best(first, 'crown jewels'), 'SHOP_GET_77')
  const [file = ''] = await readdir(folder)
  assert.match(file, /^search-[0-9a-f]{64}\.bin$/)
  const bytes = await readFile(join(folder, file))

  await prepareSearch(again, { folder, buildHereMax: 100 })
  assert.equal(best(again, 'crown jewels'), 'SHOP_GET_77')

  await writeFile(join(folder, file), bytes.subarray(0, 1_000))
  const third = make('Fetch the crown jewels')
  await prepareSearch(third, { folder, buildHereMax: 100 })
  await searchReady(third) // Files are read at the first search.
  assert.equal(best(third, 'crown jewels'), 'SHOP_GET_77', 'a damaged snapshot is built anew')
  assert.deepEqual(await readFile(join(folder, file)), bytes, 'and the same comes out')

  const other = make('Polish the silver spoons')
  await prepareSearch(other, { folder, buildHereMax: 100 })
  assert.equal(best(other, 'silver spoons'), 'SHOP_GET_77')
  assert.equal(best(other, 'crown jewels'), undefined)
  for (const name of ['a', 'b', 'c', 'd'])
    await prepareSearch(make(`Polish spoon ${name}`), { folder, buildHereMax: 100 })
  assert.equal((await readdir(folder)).length, 4, 'the newest four snapshots are kept')
  const last = make('Polish spoon d')
  await prepareSearch(last, { folder, buildHereMax: 100 })
  assert.equal(best(last, 'polish spoon d'), 'SHOP_GET_77')
})

test('search snapshot: a search waits for a preparation in progress, also of a catalogue below', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-search-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const shop = catalogFromSources([
    sampleSource(
      {},
      Array.from({ length: 101 }, (_, at) => sampleTool({ slug: `SHOP_GET_${at}`, name: `Get order ${at}` })),
    ),
  ])
  const above = overlayCatalogs(
    shop,
    catalogFromSources([sampleSource({}, [sampleTool({ slug: 'SHOP_GET_1', name: 'Get another' })])]),
  )
  const preparation = prepareSearch(shop, { folder, buildHereMax: 100 })
  assert.equal(prepareSearch(shop, { folder, buildHereMax: 100 }), preparation, 'a second call shares it')
  await searchReady(above)
  assert.equal((await readdir(folder)).length, 1, 'the snapshot is there when the wait ends')
  await preparation
})

test('word vectors: vectors are read as written, and other files are rejected', () => {
  const file = writeVectors({
    words: ['buyer', 'customer', 'rain'],
    dimensions: 2,
    values: Float32Array.of(1, 0, 2, 0.1, 0, 3),
  })
  const { bytesOf } = readVectors(file)
  assert.deepEqual([...bytesOf(['buyer'])], [127, 0])
  assert.deepEqual([...bytesOf(['rain', 'unknown', 'rain'])], [0, 127])
  assert.deepEqual([...bytesOf([])], [0, 0])
  assert.ok(bytesOf(['buyer', 'rain'])[1]! > bytesOf(['buyer', 'rain'])[0]!, 'a longer vector counts more')
  for (const bad of [
    Buffer.alloc(0),
    Buffer.from('PBWV'),
    file.subarray(0, file.length - 1),
    Buffer.concat([file, Buffer.of(0)]),
    Buffer.from('no vectors at all'),
  ])
    assert.throws(() => readVectors(bad), /word vectors/)
  assert.equal(EMPTY_VECTORS.bytesOf(['buyer']).length, 0)
})
