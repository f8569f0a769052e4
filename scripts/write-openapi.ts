// Writes docs/reference/openapi.json; with --check fails when it is out of date.
import { routes } from '../src/contract/index.ts'
import { openApiDocument } from '../src/platform/http/openapi/document.ts'
import { writeGenerated } from './generated.ts'

const document = openApiDocument(routes, { publicUrl: 'http://localhost:3900' })
writeGenerated(
  'docs/reference/openapi.json',
  `${JSON.stringify(document, null, 1)}\n`,
  'scripts/write-openapi.ts',
  process.argv.slice(2),
)
