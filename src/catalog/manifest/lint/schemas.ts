import { Ajv2020 } from 'ajv/dist/2020.js'
import { findPatternFault } from '../../../platform/safe-pattern/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import { visitSchemas } from '../json-schema.ts'

/** `input`: every property needs a description. */
export type SchemaCheck = (
  sides: Readonly<Record<string, { schema: unknown; input?: boolean }>>,
  path: string,
  report: DiagnosticReporter,
) => void

const REFERENCES = ['$ref', '$dynamicRef', '$id', '$defs', 'definitions']

/** Checks that schemas of tools and triggers compile, refer to nothing, and describe every argument. */
export function createSchemaCheck(addFormats: (ajv: Ajv2020) => unknown): SchemaCheck {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    allErrors: true,
    allowUnionTypes: true,
  })
  addFormats(ajv)
  for (const keyword of ['file_uploadable', 'file_downloadable'])
    ajv.addKeyword({ keyword, schemaType: 'boolean' })
  return (sides, path, report) => {
    for (const [side, { schema: declared, input = false }] of Object.entries(sides)) {
      const schema = declared as Record<string, unknown>
      const before = { count: 0 }
      visitSchemas(schema, `${path}/${side}`, (node, at) => {
        for (const word of REFERENCES)
          if (Object.hasOwn(node, word)) {
            report.add(
              at,
              `\`${word}\` is not allowed. Only \`{"$ref": "#/$defs/<name>"}\` of tools.json or schemas.json is.`,
            )
            before.count++
          }
        for (const { pattern, at: where } of patternsAt(node, at)) {
          const fault = findPatternFault(pattern)
          if (fault) report.add(where, `${fault}.`)
        }
        for (const { name, schema: property, at: where } of schemaPropertiesAt(node, at)) {
          if (input && typeof property.description !== 'string')
            report.add(where, `\`${name}\` needs a description.`)
        }
      })
      if (before.count > 0) continue
      try {
        ajv.compile(schema)
      } catch (error) {
        report.add(`${path}/${side}`, `is not a valid JSON Schema: ${(error as Error).message.slice(0, 300)}`)
      } finally {
        ajv.removeSchema(schema)
      }
    }
  }
}

/** Returns the patterns that arguments are matched with. */
function patternsAt(node: Record<string, unknown>, at: string): { pattern: string; at: string }[] {
  const { pattern, patternProperties } = node
  const keys = isSchema(patternProperties) ? Object.keys(patternProperties) : []
  return [
    ...(typeof pattern === 'string' ? [{ pattern, at: `${at}/pattern` }] : []),
    ...keys.map((key) => ({ pattern: key, at: `${at}/patternProperties${pointerSegment(key)}` })),
  ]
}

function schemaPropertiesAt(
  node: Record<string, unknown>,
  at: string,
): { name: string; schema: Record<string, unknown>; at: string }[] {
  if (!isSchema(node.properties)) return []
  return Object.entries(node.properties)
    .filter((entry): entry is [string, Record<string, unknown>] => isSchema(entry[1]))
    .map(([name, schema]) => ({ name, schema, at: `${at}/properties${pointerSegment(name)}` }))
}

const isSchema = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
