/**
 * Writes the manifest format as a JSON Schema (`docs/reference/manifest.schema.json`, for editors) and as a page (`docs/reference/manifest.md`),
 * both from the TypeBox source. With `--check` it writes nothing and fails when a file is not what it would write.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Toolkit, Tools, Triggers } from '../src/catalog/manifest/format/index.ts'
import { manifestPage } from './manifest-page.ts'

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolkit manifest',
  description: 'toolkit.json, tools.json or triggers.json of a folder below toolkits/.',
  anyOf: [{ $ref: '#/$defs/toolkit' }, { $ref: '#/$defs/tools' }, { $ref: '#/$defs/triggers' }],
  $defs: { toolkit: Toolkit, tools: Tools, triggers: Triggers },
}

const files = {
  'manifest.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
  'manifest.md': manifestPage(),
}

const check = process.argv.includes('--check')
for (const [name, wanted] of Object.entries(files)) {
  const path = fileURLToPath(new URL(`../docs/reference/${name}`, import.meta.url))
  if (!check) {
    await writeFile(path, wanted)
  } else if ((await readFile(path, 'utf8').catch(() => undefined)) !== wanted) {
    console.error(
      `docs/reference/${name} is not what the manifest format says. Run: node scripts/write-manifest-schema.ts`,
    )
    process.exitCode = 1
  }
}
