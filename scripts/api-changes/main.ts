// Compares the API with the last release, scripts/api-changes/released-api.txt, and fails for changes that break its
// clients. With --release it writes the file: run it when a version is released.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '../../src/contract/index.ts'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'
import type { Document } from '../client/client-source.ts'
import { ACCEPTED_CHANGES } from './accepted-changes.ts'
import { breakingChanges } from './compare.ts'
import { surfaceOf } from './surface.ts'
import { readSurface, surfaceText } from './text.ts'

const FILE = join(import.meta.dirname, 'released-api.txt')
// Both versions have the same operations and fields: the contract declares them once.
const options = { publicUrl: 'http://localhost:3900', versions: ['v3.1'] as const }
const document = JSON.parse(JSON.stringify(openApiDocument(routes, options))) as Document
const current = surfaceOf(document, '/api/v3.1')

if (process.argv.includes('--release')) writeFileSync(FILE, surfaceText(current))
else {
  const changes = breakingChanges(readSurface(readFileSync(FILE, 'utf8')), current)
  const open = changes.filter((change) => !Object.hasOwn(ACCEPTED_CHANGES, change))
  const unused = Object.keys(ACCEPTED_CHANGES).filter((change) => !changes.includes(change))
  for (const change of open) process.stderr.write(`breaks clients of the last release: ${change}\n`)
  for (const change of unused) process.stderr.write(`accepted, but there is no such change: ${change}\n`)
  if (open.length > 0)
    process.stderr.write('Keep the former form, or add the change and its reason to accepted-changes.ts.\n')
  if (open.length + unused.length > 0) process.exitCode = 1
}
