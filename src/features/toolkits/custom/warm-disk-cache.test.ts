import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { temporaryCache } from '#fixtures/files.ts'
import { cachedDigests } from '../../../catalog/index.ts'
import { warmDiskCache } from './warm-disk-cache.ts'

const contents = new Map(
  Array.from({ length: 24 }, (_, at) => {
    const text = JSON.stringify({
      format: 1,
      origins: {},
      toolkit: {
        slug: `shop_${at}`,
        name: `Shop ${at}`,
        description: 'Sells things.',
        categories: ['other'],
        base_url: 'https://shop.example.com',
        auth: [{ scheme: 'NO_AUTH' }],
      },
      tools: [],
    })
    return [createHash('sha256').update(text).digest('hex'), deflateRawSync(text)] as const
  }),
)
const rows = [...contents].map(([digest, bytes]) => ({ digest, size: bytes.length, tools_count: 0 }))

test('toolkit disk cache: many missing files are written by workers, and one failure stops no others', async (t) => {
  const folder = temporaryCache(t)
  const failed: string[] = []
  const asked: string[] = []
  const make = (some: typeof rows, broken?: string) =>
    warmDiskCache(
      some,
      folder,
      async (digest) => {
        asked.push(digest)
        return digest === broken ? Buffer.from('damaged') : contents.get(digest)!
      },
      (_, digest) => failed.push(digest),
    )
  await make(rows.slice(0, 5))
  assert.deepEqual([(await cachedDigests(folder)).size, asked.length], [0, 0])
  const { digest: broken } = rows[3]!
  await make([...rows, ...rows], broken)
  assert.deepEqual(
    [...(await cachedDigests(folder))].sort(),
    rows
      .map(({ digest }) => digest)
      .filter((digest) => digest !== broken)
      .sort(),
  )
  assert.deepEqual([failed, asked.length], [[broken], 24])
  await make(rows)
  assert.equal(asked.length, 24, 'existing files are not written again, and one missing file needs no worker')
})
