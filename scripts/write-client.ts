// Writes src/client/generated/ from the OpenAPI document; with --check fails when it is out of date.
import { routes } from '../src/contract/index.ts'
import { openApiDocument } from '../src/platform/http/openapi/document.ts'
import { type Document, tableSource, typesSource } from './client/client-source.ts'
import { writeGenerated } from './generated.ts'

const options = { publicUrl: 'http://localhost:3900', versions: ['v3.1'] as const }
// Through JSON, as a client reads the document.
const document = JSON.parse(JSON.stringify(openApiDocument(routes, options))) as Document
const args = process.argv.slice(2)
writeGenerated('src/client/generated/types.ts', typesSource(document), 'scripts/write-client.ts', args)
writeGenerated('src/client/generated/operations.ts', tableSource(document), 'scripts/write-client.ts', args)
