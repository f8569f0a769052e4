import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog } from '../../src/catalog/index.ts'
import { routes } from '../../src/contract/index.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { page, pages, proseOf, ROOT } from './markdown.ts'

const planned = routes.filter(({ isPlanned }) => isPlanned)
const hasPlannedRealtime = planned.some(({ id }) => id.startsWith('realtime.'))

/** Pages that say that operations return 501, with what makes the statement true. */
const NOT_IMPLEMENTED: Readonly<Record<string, { says: RegExp; isTrue: boolean }>> = {
  'README.md': {
    says: /realtime channel of\s+the SDK \(its operations return 501\)/,
    isTrue: hasPlannedRealtime,
  },
  'docs/guides/composio-sdk.md': {
    says: /realtime channel \(`[^`]*`\) are not part of this\s+release/,
    isTrue: hasPlannedRealtime,
  },
  'docs/guides/errors.md': { says: /\| 501 \|[^|]*not part of this release/, isTrue: planned.length > 0 },
  'docs/guides/stream-events.md': {
    says: /realtime channel[^(]*\(`[^`]*`\) returns 501/,
    isTrue: hasPlannedRealtime,
  },
}

test('claims: a page says 501 only for operations that return it', () => {
  const found = pages()
    .filter(({ file }) => !file.startsWith('docs/decisions/') && file !== 'CHANGELOG.md')
    .filter((one) => /\b501\b/.test(proseOf(one)))
  assert.deepEqual(found.map(({ file }) => file).toSorted(), Object.keys(NOT_IMPLEMENTED).toSorted())
  for (const { file, text } of found) {
    const { says, isTrue } = NOT_IMPLEMENTED[file]!
    assert.match(text, says, file)
    assert.ok(isTrue, `${file} names operations that are part of this release`)
  }
})

test('claims: no page calls an area of the API part of a later release', () => {
  const later = /\b(?:operations?|parts?) (?:of|for) (?:a )?later releases?\b/i
  assert.deepEqual(
    pages().filter(({ text, file }) => later.test(text) && !file.startsWith('docs/decisions/')),
    [],
  )
})

test('claims: the printed start of the server has the present numbers of toolkits and tools', async () => {
  const { text } = page('docs/guides/start-the-server.md')
  const { toolkits, toolCount } = await loadCatalog({ folder: join(ROOT, 'toolkits') })
  assert.match(text, new RegExp(`catalogue   ${toolkits.length} toolkits, ${toolCount} tools\\n`))
  assert.match(page('README.md').text, new RegExp(`^${toolkits.length} \\[toolkits are built in\\]`, 'm'))
})

test('claims: the guide to keys explains IP addresses behind a proxy with the setting that exists', () => {
  const { text } = page('docs/guides/scoped-keys.md')
  const names = Object.values(settings).map(({ name }) => name)
  assert.equal(text.includes('`TRUSTED_PROXIES`'), names.includes('TRUSTED_PROXIES'))
})
