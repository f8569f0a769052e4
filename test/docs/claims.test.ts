import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCatalog } from '../../src/catalog/index.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { page, pages, proseOf, ROOT } from './markdown.ts'

/** Pages that name the status 501, with the operations of which it is true. */
const NOT_IMPLEMENTED: Readonly<Record<string, RegExp>> = {
  'docs/guides/errors.md': /\| 501 \|[^|]*not part of this release, or needs a setting/,
}

test('claims: a page says 501 only for operations that return it', () => {
  const found = pages()
    .filter(({ file }) => !file.startsWith('docs/decisions/') && file !== 'CHANGELOG.md')
    .filter((one) => /\b501\b/.test(proseOf(one)))
  assert.deepEqual(found.map(({ file }) => file).toSorted(), Object.keys(NOT_IMPLEMENTED).toSorted())
  for (const { file, text } of found) assert.match(text, NOT_IMPLEMENTED[file]!, file)
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
  const { toolkits, toolCount } = openCatalog({ folder: join(ROOT, 'toolkits') })
  assert.match(text, new RegExp(`catalogue   ${toolkits.length} toolkits, ${toolCount} tools\\n`))
  assert.match(page('README.md').text, new RegExp(`^${toolkits.length} \\[toolkits are built in\\]`, 'm'))
})

test('claims: the guide to keys explains IP addresses behind a proxy with the setting that exists', () => {
  const { text } = page('docs/guides/scoped-keys.md')
  const names = Object.values(settings).map(({ name }) => name)
  assert.equal(text.includes('`TRUSTED_PROXIES`'), names.includes('TRUSTED_PROXIES'))
})

test('claims: the guide to installing names the dependencies that warn on Node 20', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; engines?: { node?: string } }>
  }
  const names = Object.entries(packages)
    .filter(([, { dev, engines }]) => !dev && /^>=\s*(2[1-9]|[3-9]\d)/.test(engines?.node ?? ''))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  const [, listed = ''] =
    /\(`EBADENGINE`\) that (.*?) require a newer one/s.exec(page('docs/guides/install.md').text) ?? []
  assert.deepEqual(
    [...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    names.toSorted(),
  )
})
