import type { JsonSchema, Tool } from '../types/index.ts'
import { compileSchema } from './compile.ts'
import { DIALECTS, type DialectName } from './formats.ts'
import type { JsonObject } from './merge.ts'
import { plainSchema } from './inline-references.ts'
import { faultsOf } from './validate.ts'

export { DIALECT_NAMES, type DialectName } from './formats.ts'
export { plainSchema } from './inline-references.ts'
export { hasWrittenNames, restoreArguments } from './restore-arguments.ts'

/** The schema of a tool's arguments for a vendor, or why there is none. */
export type Compiled = { readonly schema: JsonSchema } | { readonly reason: string }

/** Shorter and shallower, until it is small enough. */
const TRIES = [
  { depth: 24, descriptionMax: 2_000 },
  { depth: 10, descriptionMax: 500 },
  { depth: 6, descriptionMax: 200 },
  { depth: 4, descriptionMax: 100 },
  { depth: 2, descriptionMax: 60 },
]

/** A tool's arguments in a dialect. A tool that no form of would be taken has a reason instead, and is left out of lists in that dialect: one bad tool makes a vendor refuse all. */
export function compileFor(name: string, schema: JsonSchema, dialectName: DialectName): Compiled {
  const dialect = DIALECTS[dialectName]
  const plain = plainSchema(schema) as JsonObject
  let faults: string[] = []
  for (const limits of TRIES) {
    const compiled = compileSchema(plain, dialect, limits)
    faults = faultsOf(name, compiled, dialect)
    if (faults.length === 0) return { schema: compiled }
  }
  return { reason: faults.join('; ') }
}

const known = new WeakMap<Tool, Map<DialectName, Compiled>>()

/** `compileFor` of a tool of the catalogue, remembered as long as the tool is. */
export function inDialect(tool: Tool, dialect: DialectName): Compiled {
  let compiled = known.get(tool)
  if (!compiled) known.set(tool, (compiled = new Map()))
  let found = compiled.get(dialect)
  if (!found) compiled.set(dialect, (found = compileFor(tool.slug, tool.input, dialect)))
  return found
}
