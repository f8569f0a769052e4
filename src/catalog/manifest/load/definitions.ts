import { isObject } from '../../../platform/json-object.ts'
import { type DiagnosticReporter, pointerSegment } from '../diagnostics.ts'
import { mapInnerSchemas } from '../json-schema.ts'

const REFERENCE = /^#\/\$defs\/([A-Za-z][A-Za-z0-9_-]*)$/
/** Schemas of one file with every reference written out; limits definitions that double at every level. */
const SCHEMAS_MAX = 50_000

interface InlineState {
  readonly definitions: Readonly<Record<string, unknown>>
  readonly inlined: Map<string, { schema: unknown; size: number }>
  readonly inProgress: Set<string>
  readonly report: DiagnosticReporter
  size: number
}

/**
 * Writes out the references `{"$ref": "#/$defs/<name>"}` in `input` and `output` of tools. Keys next to
 * `$ref` take the place of those of the definition. `report` receives paths below `/tools` and `/$defs`:
 * unknown, unused and recursive definitions. Returns undefined where the result would be too large.
 */
export function inlineDefinitions(
  tools: readonly unknown[],
  definitions: Readonly<Record<string, unknown>>,
  report: DiagnosticReporter,
): unknown[] | undefined {
  const state: InlineState = { definitions, inlined: new Map(), inProgress: new Set(), report, size: 0 }
  const result = tools.map((tool, index) => {
    if (!isObject(tool)) return tool
    const at = `/tools/${index}`
    const copy: Record<string, unknown> = { ...tool }
    for (const side of ['input', 'output'])
      if (isObject(tool[side])) copy[side] = inlineSchema(tool[side], `${at}/${side}`, state)
    return copy
  })
  for (const name of Object.keys(definitions))
    if (!state.inlined.has(name)) report.add(`/$defs${pointerSegment(name)}`, 'is not used. Remove it.')
  if (state.size <= SCHEMAS_MAX) return result
  report.add('', `has more than ${SCHEMAS_MAX} schemas when every reference is written out.`)
  return undefined
}

function inlineSchema(schema: unknown, at: string, state: InlineState): unknown {
  if (!isObject(schema)) return schema
  state.size++
  const { $ref: reference, ...rest } = schema
  const name = typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined
  const own = mapInnerSchemas(rest, at, (inner, path) => inlineSchema(inner, path, state))
  if (name === undefined) return reference === undefined ? own : { $ref: reference, ...own }
  const definition = inlineDefinition(name, at, state)
  return isObject(definition) ? { ...definition, ...own } : own
}

function inlineDefinition(name: string, at: string, state: InlineState): unknown {
  const known = state.inlined.get(name)
  if (known) {
    state.size += known.size
    return known.schema
  }
  if (!Object.hasOwn(state.definitions, name)) {
    state.report.add(at, `\`#/$defs/${name}\` is not defined.`)
    return undefined
  }
  if (state.inProgress.has(name)) {
    state.report.add(at, `\`#/$defs/${name}\` refers to itself. A definition must not be recursive.`)
    return undefined
  }
  state.inProgress.add(name)
  const before = state.size
  const schema = inlineSchema(state.definitions[name], `/$defs/${name}`, state)
  state.inProgress.delete(name)
  state.inlined.set(name, { schema, size: state.size - before })
  return schema
}
