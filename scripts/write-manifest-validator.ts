/**
 * Writes src/catalog/manifest/load/format-validator.js: the validator of manifests that Ajv makes of the
 * TypeBox format. Compiling it takes Ajv 150 to 300 ms, which every start would pay. With `--check` it fails
 * when the file is out of date.
 */
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { Toolkit, Tools, Triggers } from '../src/catalog/manifest/format/index.ts'
import { writeGenerated } from './generated.ts'
import { type JsonSchemaNode, mapSchemas, shareDefinitions } from './shared-definitions.ts'

const SCRIPT = 'scripts/write-manifest-validator.ts'
const ANNOTATIONS = new Set(['description', 'default', 'title'])

/**
 * Returns a schema as Ajv needs it, without annotations. TypeBox writes a discriminated union as `anyOf`, Ajv
 * expects `oneOf` and skips values that are no objects unless `type` is given. A union of constants becomes
 * an `enum`.
 */
function forAjv(schema: JsonSchemaNode): JsonSchemaNode {
  const { anyOf, ...rest } = mapSchemas(schema, '', forAjv)
  const node = Object.fromEntries(Object.entries(rest).filter(([key]) => !ANNOTATIONS.has(key)))
  if (!Array.isArray(anyOf)) return node
  if ('discriminator' in node) return { ...node, type: 'object', oneOf: anyOf }
  if (anyOf.every((branch: JsonSchemaNode) => 'const' in branch))
    return { ...node, enum: anyOf.map((branch: JsonSchemaNode) => branch['const']) }
  return { ...node, anyOf }
}

const definitions = shareDefinitions({
  toolkit: forAjv(Toolkit as unknown as JsonSchemaNode),
  tools: forAjv(Tools as unknown as JsonSchemaNode),
  triggers: forAjv(Triggers as unknown as JsonSchemaNode),
})
const ajv = new Ajv({
  allErrors: true,
  discriminator: true,
  strictTypes: false,
  inlineRefs: false,
  messages: false,
  code: { source: true, esm: true, lines: false, optimize: 2 },
})
ajv.addSchema({ $id: 'manifest', $defs: definitions })
const names = ['toolkit', 'tools', 'triggers']
for (const name of names) ajv.addSchema({ $id: name, $ref: `manifest#/$defs/${name}` })

const code = (standalone as unknown as { default: typeof standalone.default })
  .default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  .replace('"use strict";', '')
  .replaceAll('require("ajv/dist/runtime/ucs2length").default', 'countCodePoints')
  // Every error is four statements of 200 characters; one call makes the file a third as large.
  .replaceAll(
    /const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:"(?:[^"\\]|\\.)*",keyword:("\w+"),params:(.*?)\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g,
    (_, __, path: string | undefined, keyword: string, params: string) =>
      `vErrors = add(vErrors,${path ?? 'instancePath'},${keyword},${params});errors++;`,
  )
  .replaceAll(/;?(export const|const |function )/g, '\n$1')
const text = `// Written by ${SCRIPT} from src/catalog/manifest/format/. Do not edit.
const countCodePoints = (text) => { let count = 0; for (const _ of text) count++; return count }
function add(errors, instancePath, keyword, params) {
  const error = { instancePath, keyword, params }
  if (errors === null) return [error]
  errors.push(error)
  return errors
}
${code}
`
if (/\brequire\(/.test(text))
  throw new Error('The validator needs a module of Ajv that is not replaced here.')
if (text.includes('schemaPath:')) throw new Error('Ajv writes an error in a form that is not shortened here.')
writeGenerated('src/catalog/manifest/load/format-validator.js', text, SCRIPT, process.argv.slice(2))
