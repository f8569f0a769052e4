import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sampleImport } from '#fixtures/custom-toolkits.ts'
import { expandContent, packContent, readContent } from './content.ts'
import { prepareVersion } from './prepared-version.ts'

const wares = (name: string, url?: string) =>
  sampleImport(
    'wares',
    [
      ['WARES_FETCH', 'Fetch crate'],
      ['WARES_COUNT', name],
    ],
    url === undefined ? {} : { url },
  )

/** More arguments than any model vendor accepts. */
function withFault(imported: ReturnType<typeof wares>) {
  const properties = Object.fromEntries(
    Array.from({ length: 800 }, (_, at) => [`a${at}`, { type: 'string', description: 'x'.repeat(60) }]),
  )
  const [first, second] = imported.tools
  return {
    ...imported,
    tools: [first!, { ...second!, input: { type: 'object', properties } }],
  } as typeof imported
}

test('prepared version: its content is what was imported, under the hash of its JSON', async () => {
  const imported = wares('Count crates')
  const { content, digest, size, tools, compared } = await prepareVersion(imported, undefined)
  const json = await expandContent(content)
  assert.deepEqual([createHash('sha256').update(json).digest('hex'), json.length], [digest, size])
  const { toolkit, tools: stored, origins } = await readContent(content)
  assert.deepEqual({ toolkit, origins }, { toolkit: imported.toolkit, origins: imported.origins })
  assert.deepEqual(stored, imported.tools.toReversed(), 'tools in the order of their slugs')
  assert.deepEqual([tools, compared], [['WARES_FETCH', 'WARES_COUNT'], undefined])
})

test('prepared version: it is compared with the previous one, also as to hosts that receive credentials', async () => {
  const before = await prepareVersion(wares('Count crates'), undefined)
  const [same, changed] = await Promise.all([
    prepareVersion(wares('Count crates'), before),
    prepareVersion(wares('Count boxes', 'https://other.example'), before),
  ])
  assert.equal(same.digest, before.digest)
  assert.deepEqual(
    [same.compared?.difference.changed, same.compared?.addedRecipients, same.compared?.digest],
    [[], [], before.digest],
  )
  assert.deepEqual(
    [changed.compared?.difference.changed.map(({ slug }) => slug), changed.compared?.addedRecipients],
    [['WARES_COUNT'], ['https://other.example']],
  )
})

test('prepared version: a tool that no model vendor accepts is left out, unless the previous version has it', async () => {
  const faulty = withFault(wares('Count crates'))
  const left = await prepareVersion(faulty, undefined)
  assert.deepEqual([left.tools, left.quarantined.map(({ slug }) => slug)], [['WARES_FETCH'], ['WARES_COUNT']])
  assert.deepEqual(
    (await readContent(left.content)).tools.map(({ slug }) => slug),
    ['WARES_FETCH'],
  )
  const known = await prepareVersion(faulty, {
    digest: 'earlier',
    content: await packed(faulty),
    origins: '{}',
  })
  assert.deepEqual([known.tools.length, known.quarantined], [2, []])
})

const packed = ({ toolkit, tools, origins }: ReturnType<typeof wares>) =>
  packContent(Buffer.from(JSON.stringify({ toolkit, tools, origins })))
