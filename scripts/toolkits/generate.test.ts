import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readToolkits, type ToolkitSource } from '../../src/catalog/manifest/load/read.ts'
import { type Facts, readFacts } from './facts.ts'
import { generateToolkit } from './generate.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
/** Toolkits whose documents are all in the repository. */
const COMPLETE = ['api2pdf', 'gitlab']

let facts: Facts
let sources: readonly ToolkitSource[]
const folder = mkdtempSync(join(tmpdir(), 'facts-'))

before(() => {
  const mapped = { slug: 'NONE', toolkit: 'none', method: 'GET', path: '/', confidence: 1 }
  writeFileSync(join(folder, 'toolkits.jsonl'), COMPLETE.map((slug) => JSON.stringify({ slug })).join('\n'))
  writeFileSync(join(folder, 'mapping.jsonl.gz'), gzipSync(JSON.stringify(mapped)))
  const slugs = 'original-slugs.json.gz'
  copyFileSync(join(import.meta.dirname, 'data', slugs), join(folder, slugs))
  facts = readFacts(folder)
  sources = readToolkits(FOLDER, []).filter(({ slug }) => COMPLETE.includes(slug))
})
after(() => rmSync(folder, { recursive: true }))

test('generated tools: Api2Pdf and GitLab, generated twice from their documents, are the shipped files', async () => {
  assert.deepEqual(
    sources.map(({ slug }) => slug),
    COMPLETE,
  )
  for (const source of sources) {
    const shipped = readFileSync(join(FOLDER, source.slug, 'operations.bin'))
    for (const run of ['first', 'second']) {
      const { bytes, tools } = await generateToolkit(facts, source, FOLDER, true)
      assert.ok(tools.length > 20, `${source.slug} has ${tools.length} tools`)
      assert.ok(bytes?.equals(shipped), `${source.slug}: the ${run} run differs`)
    }
  }
})
