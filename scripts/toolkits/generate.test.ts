import assert from 'node:assert/strict'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readToolkits, type ToolkitSource } from '../../src/catalog/manifest/load/read.ts'
import { OperationsFile } from '../../src/catalog/manifest/load/operations/index.ts'
import { OPERATION_FILE, readOperationFile } from './operation-files/index.ts'
import { type Facts, readFacts } from './facts.ts'
import { generateToolkit } from './generate.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
/** Toolkits whose documents are all in the repository. */
const COMPLETE = ['api2pdf', 'gitlab', 'prisma', 'short_io']
/** Toolkits all of whose tools are stated in their own file. */
const STATED = globSync(`*/${OPERATION_FILE}`, { cwd: FOLDER })
  .map((path) => dirname(path))
  .filter((slug) => isStatedAlone(slug))

function isStatedAlone(slug: string): boolean {
  const { operations } = readOperationFile(join(FOLDER, slug, OPERATION_FILE))!
  return OperationsFile.open(join(FOLDER, slug, 'operations.bin')).summary.toolCount === operations.length
}

let facts: Facts
let sources: readonly ToolkitSource[]
const folder = mkdtempSync(join(tmpdir(), 'facts-'))

before(() => {
  const mapped = { slug: 'NONE', toolkit: 'none', method: 'GET', path: '/', confidence: 1 }
  writeFileSync(
    join(folder, 'toolkits.jsonl'),
    [...COMPLETE, ...STATED].map((slug) => JSON.stringify({ slug })).join('\n'),
  )
  writeFileSync(join(folder, 'mapping.jsonl.gz'), gzipSync(JSON.stringify(mapped)))
  const slugs = 'original-slugs.json.gz'
  copyFileSync(join(import.meta.dirname, 'data', slugs), join(folder, slugs))
  facts = readFacts(folder)
  sources = readToolkits(FOLDER, []).filter(({ slug }) => [...COMPLETE, ...STATED].includes(slug))
})
after(() => rmSync(folder, { recursive: true }))

test('generated tools: those of four toolkits, generated twice from their documents, are the shipped files', async () => {
  const complete = sources.filter(({ slug }) => COMPLETE.includes(slug))
  assert.deepEqual(
    complete.map(({ slug }) => slug),
    COMPLETE,
  )
  for (const source of complete) {
    const shipped = readFileSync(join(FOLDER, source.slug, 'operations.bin'))
    for (const run of ['first', 'second']) {
      const { bytes, tools } = await generateToolkit(facts, source, FOLDER, true)
      assert.ok(tools.length > 20, `${source.slug} has ${tools.length} tools`)
      assert.ok(bytes?.equals(shipped), `${source.slug}: the ${run} run differs`)
    }
  }
})

test('generated tools: those of toolkits without a document are what their operations.json states', async () => {
  assert.ok(STATED.length > 0)
  for (const source of sources.filter(({ slug }) => STATED.includes(slug))) {
    const { bytes } = await generateToolkit(facts, source, FOLDER, true)
    assert.ok(bytes?.equals(readFileSync(join(FOLDER, source.slug, 'operations.bin'))), source.slug)
  }
})
