/**
 * Splits `tools.json` of built-in toolkits into one file a tool, and moves the schemas that tools repeat to
 * `schemas.json`: `node scripts/split-toolkit.ts <slug> …`. The content of the toolkit must stay the same: a
 * toolkit whose hash changes is restored, and the program exits with 1.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import type { Diagnostic } from '../src/catalog/manifest/diagnostics.ts'
import { readToolkit } from '../src/catalog/manifest/load/read.ts'
import { isObject } from '../src/platform/json-object.ts'
import { printJson } from './print-json.ts'
import { shareSchemas, type Tool } from './share-schemas.ts'
import { contentHash } from './toolkit-lock.ts'

const TOOLKITS = join(import.meta.dirname, '..', 'toolkits')

/** Reads a toolkit with every definition written out. @throws Error for a toolkit that the loader rejects */
async function hashOf(slug: string): Promise<string> {
  const diagnostics: Diagnostic[] = []
  const source = readToolkit(TOOLKITS, slug, diagnostics)
  if (!source || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, null, 2))
  return contentHash(source)
}

/** Returns a description of the result. @throws Error if the content would change */
async function splitToolkit(slug: string): Promise<string> {
  const folder = join(TOOLKITS, slug)
  const file = join(folder, 'tools.json')
  const before = await hashOf(slug)
  const original = readFileSync(file, 'utf8')
  const parsed: unknown = JSON.parse(original)
  if (!isObject(parsed) || !Array.isArray(parsed['tools']) || '$defs' in parsed)
    throw new Error(`${file} has definitions already, or no tools`)
  const { tools, definitions } = shareSchemas(slug, parsed['tools'] as Tool[])
  const schemasFile = join(folder, 'schemas.json')
  rmSync(file)
  mkdirSync(join(folder, 'tools'))
  for (const tool of tools) writeFileSync(join(folder, 'tools', `${tool.slug}.json`), printJson(tool))
  const count = Object.keys(definitions).length
  if (count > 0) writeFileSync(schemasFile, printJson({ $defs: definitions }))
  const after = await hashOf(slug).catch((error: Error) => error.message)
  if (after !== before) {
    rmSync(join(folder, 'tools'), { recursive: true })
    rmSync(schemasFile, { force: true })
    writeFileSync(file, original)
    throw new Error(`${slug} would change, so its tools.json was restored: ${after}`)
  }
  const length = [...tools, { $defs: definitions }].reduce((sum, value) => sum + printJson(value).length, 0)
  return `${slug}: ${tools.length} tools, ${count} definitions, ${original.length} → ${length} characters\n`
}

const slugs = argv.slice(2)
if (slugs.length === 0) {
  stderr.write('Name the toolkits: node scripts/split-toolkit.ts <slug> …\n')
  exit(1)
}
for (const slug of slugs) stdout.write(await splitToolkit(slug))
