// Writes .env.example and docs/reference/configuration.md from the table of settings. With --check it writes
// nothing and exits with 1 when one of them is not what it would write.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configurationPage, envExample } from '../src/platform/config/reference.ts'

const root = join(import.meta.dirname, '..')
const files = { '.env.example': envExample(), 'docs/reference/configuration.md': configurationPage() }
const isCheck = process.argv.includes('--check')

for (const [name, text] of Object.entries(files)) {
  const path = join(root, name)
  if (isCheck) {
    if (contentOf(path) === text) continue
    console.error(`${name} is not what the settings say. Run: node scripts/write-config-reference.ts`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
