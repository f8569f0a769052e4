import type { JsonSchema, Tool } from '../types/index.ts'
import { compileSchema } from './compile.ts'
import { SCHEMA_FORMATS, type SchemaFormatName } from './formats.ts'
import type { JsonObject } from './merge.ts'
import { inlineReferences } from './inline-references.ts'
import { findViolations } from './validate.ts'

export { SCHEMA_FORMAT_NAMES, type SchemaFormatName } from './formats.ts'
export { inlineReferences } from './inline-references.ts'
export { hasRenamedProperties, restoreArguments } from './restore-arguments.ts'

/** The schema of a tool's arguments for a vendor, or why there is none. */
export type FormattedSchema = { readonly schema: JsonSchema } | { readonly reason: string }

/** Shorter and shallower, until it is small enough. */
const SIZE_LIMITS = [
  { depth: 24, descriptionMax: 2_000 },
  { depth: 10, descriptionMax: 500 },
  { depth: 6, descriptionMax: 200 },
  { depth: 4, descriptionMax: 100 },
  { depth: 2, descriptionMax: 60 },
]

/**
 * A tool's arguments in a schema format. A tool without an acceptable form has a reason instead, and is left
 * out of lists in that format: one invalid tool makes a vendor reject all.
 */
export function compileForFormat(
  name: string,
  schema: JsonSchema,
  formatName: SchemaFormatName,
): FormattedSchema {
  const format = SCHEMA_FORMATS[formatName]
  const plain = inlineReferences(schema) as JsonObject
  let faults: string[] = []
  for (const limits of SIZE_LIMITS) {
    const compiled = compileSchema(plain, format, limits)
    faults = findViolations(name, compiled, format)
    if (faults.length === 0) return { schema: compiled }
  }
  return { reason: faults.join('; ') }
}

const schemasByTool = new WeakMap<Tool, Map<SchemaFormatName, FormattedSchema>>()

/** `compileFor` of a tool of the catalogue, remembered as long as the tool is. */
export function toolSchemaInFormat(tool: Tool, format: SchemaFormatName): FormattedSchema {
  let compiled = schemasByTool.get(tool)
  if (!compiled) schemasByTool.set(tool, (compiled = new Map()))
  let found = compiled.get(format)
  if (!found) compiled.set(format, (found = compileForFormat(tool.slug, tool.input, format)))
  return found
}
