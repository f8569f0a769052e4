import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { billOfMaterials, type LockFile } from './sbom.ts'

interface Document {
  serialNumber: string
  metadata: { component: { name: string; 'bom-ref': string } }
  components: {
    'bom-ref': string
    purl: string
    hashes?: { alg: string; content: string }[]
    scope: string
    licenses?: unknown[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

test('SBOM: it lists what is installed, with hashes, and every reference exists', () => {
  const lock = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
  ) as LockFile
  const document = billOfMaterials(lock) as Document
  const refs = new Set([
    document.metadata.component['bom-ref'],
    ...document.components.map((component) => component['bom-ref']),
  ])
  assert.equal(refs.size, document.components.length + 1, 'references are unique')
  for (const { ref, dependsOn } of document.dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one)
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
  const root = document.dependencies.find(({ ref }) => ref === document.metadata.component['bom-ref'])
  for (const [name, version] of Object.entries(manifest.dependencies))
    assert.ok(root?.dependsOn.includes(`pkg:npm/${name.replace('@', '%40')}@${version}`), name)
  assert.ok(!document.components.some(({ purl }) => purl.startsWith('pkg:npm/playwright-core@')))
  const fastify = document.components.find(({ purl }) => purl.startsWith('pkg:npm/fastify@'))
  assert.match(fastify?.hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/)
  assert.match(
    document.serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  assert.deepEqual(billOfMaterials(lock), document, 'the same lock file gives the same document')
})

test('SBOM: a package finds its dependency in its own folder first, and licenses are ids or expressions', () => {
  const document = billOfMaterials({
    packages: {
      '': { name: 'app', version: '1.0.0', dependencies: { a: '1', '@s/b': '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { '@s/b': '2' }, license: 'MIT OR Apache-2.0' },
      'node_modules/a/node_modules/@s/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/@s/b': { version: '1.0.0', optional: true },
      'node_modules/only-for-tests': { version: '1.0.0', dev: true },
    },
  }) as Document
  assert.deepEqual(
    document.components.map(({ purl, scope, licenses }) => [purl, scope, licenses]),
    [
      ['pkg:npm/%40s/b@1.0.0', 'optional', undefined],
      ['pkg:npm/%40s/b@2.0.0', 'required', [{ license: { id: 'MIT' } }]],
      ['pkg:npm/a@1.0.0', 'required', [{ expression: 'MIT OR Apache-2.0' }]],
    ],
  )
  assert.deepEqual(document.dependencies, [
    { ref: 'pkg:npm/%40s/b@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/%40s/b@2.0.0', dependsOn: [] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/%40s/b@2.0.0'] },
    { ref: 'pkg:npm/app@1.0.0', dependsOn: ['pkg:npm/%40s/b@1.0.0', 'pkg:npm/a@1.0.0'] },
  ])
})
