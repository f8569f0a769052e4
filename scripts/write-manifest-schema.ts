/**
 * Writes the manifest format as a JSON Schema (`docs/reference/manifest.schema.json`, for editors) and as a
 * page (`docs/reference/manifest.md`), both from the TypeBox source. With `--check` it writes nothing and
 * fails when a file is out of date.
 */
import {
  ExtendingToolkitFile,
  FamilyFile,
  SchemasFile,
  ToolFile,
  ToolsFile,
} from '../src/catalog/manifest/format/files.ts'
import { Toolkit, Triggers } from '../src/catalog/manifest/format/index.ts'
import { writeGenerated } from './generated.ts'
import { manifestPage } from './manifest-page.ts'
import { shareDefinitions } from './shared-definitions.ts'

const SCRIPT = 'scripts/write-manifest-schema.ts'
const files = {
  toolkit: Toolkit,
  extending_toolkit: ExtendingToolkitFile,
  family: FamilyFile,
  tools: ToolsFile,
  tool: ToolFile,
  schemas: SchemasFile,
  triggers: Triggers,
}
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolkit manifest',
  description: 'A JSON file of a folder below toolkits/.',
  anyOf: Object.keys(files).map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: shareDefinitions(files),
}

const args = process.argv.slice(2)
writeGenerated('docs/reference/manifest.schema.json', `${JSON.stringify(schema, null, 2)}\n`, SCRIPT, args)
writeGenerated('docs/reference/manifest.md', manifestPage(), SCRIPT, args)
