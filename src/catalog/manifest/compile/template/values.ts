import { FileBytes, parseFileArgument } from '../request/file-argument.ts'
import { type DiagnosticReporter, pointerSegment } from '../../diagnostics.ts'
import type { Template, ValueTemplate } from '../../../types/index.ts'
import { serializeObject } from '../request/parameter-serialization.ts'
import { MissingValue } from './errors.ts'
import { compileTemplate, renderPlaceholder, placeholderName, valueToText } from './templates.ts'

/** What a value template answers when its argument is absent: the member that holds it is left out. */
export const ABSENT: unique symbol = Symbol('absent')

/** What compiling a tool's request needs to know, and what it learns. */
export interface CompileContext {
  /**
   * Declared arguments. A name is one of them or a value of the connection, settled once: an argument never
   * shadows a credential.
   */
  readonly args: ReadonlySet<string>
  readonly usedArgs: Set<string>
  readonly usedConnection: Set<string>
  /** Arguments that become part of a text, so that they are not sent as they are. */
  readonly textArgs?: Set<string> | undefined
  readonly report: DiagnosticReporter
}

const DEPTH_MAX = 32

const CASTS: Readonly<Record<string, (value: unknown, name: string) => unknown>> = {
  csv: (value) => valueToText(value) ?? null,
  json: (value) => JSON.stringify(value),
  string: (value) => valueToText(value) ?? null,
  number: (value) =>
    typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
      ? Number(value)
      : value,
  base64: (value) =>
    value instanceof FileBytes ? value.toJSON() : Buffer.from(valueToText(value) ?? '').toString('base64'),
  file_name: (value) => (value instanceof FileBytes ? value.name : null),
  file_type: (value) => (value instanceof FileBytes ? (value.type ?? 'application/octet-stream') : null),
  file_size: (value) => (value instanceof FileBytes ? value.bytes.length : null),
  pairs: (value) => serializeObject(value, ','),
  members: (value) => serializeObject(value, '='),
  file: parseFileArgument,
}

/**
 * Compiles a JSON template (`{"$": "argument", "as": "csv"}`, texts with places, objects, lists, literals).
 */
export function compileValue(json: unknown, context: CompileContext, path: string, depth = 0): ValueTemplate {
  if (depth > DEPTH_MAX) return reportAndOmit(context, path, `is nested deeper than ${DEPTH_MAX} levels.`)
  if (typeof json === 'string') return compileText(json, context, path)
  if (json === null || typeof json !== 'object') return () => json
  if (Array.isArray(json)) return compileList(json, context, path, depth)
  if (Object.hasOwn(json, '$')) return compileArgument(json as Record<string, unknown>, context, path)
  return compileObject(json as Record<string, unknown>, context, path, depth)
}

/** Compiles a template text and notes which of its names are arguments and which belong to the connection. */
export function compileTemplateAndNote(
  text: string,
  context: CompileContext,
  path: string,
): Template | undefined {
  try {
    const template = compileTemplate(text)
    for (const name of template.names) {
      ;(context.args.has(name) ? context.usedArgs : context.usedConnection).add(name)
      context.textArgs?.add(name)
    }
    return template
  } catch (error) {
    context.report.add(path, (error as Error).message)
    return undefined
  }
}

function compileText(text: string, context: CompileContext, path: string): ValueTemplate {
  const template = compileTemplateAndNote(text, context, path)
  if (!template) return () => ABSENT
  if (template.names.length === 0) {
    const constant = template.parts
      .map((part) => (typeof part === 'string' ? part : renderPlaceholder(part, () => undefined)))
      .join('')
    return () => constant
  }
  const argumentNames = context.args
  const ofArguments = template.parts.map(
    (part) =>
      typeof part !== 'string' &&
      part.alternatives.every((one) => !('name' in one) || argumentNames.has(one.name)),
  )
  return (args, connection) => {
    const lookup = (name: string) => (argumentNames.has(name) ? args(name) : connection(name))
    let out = ''
    for (let index = 0; index < template.parts.length; index++) {
      const part = template.parts[index]!
      if (typeof part === 'string') {
        out += part
        continue
      }
      const filled = renderPlaceholder(part, lookup)
      if (filled !== undefined) {
        out += filled
        continue
      }
      if (part.optional || ofArguments[index]) return ABSENT
      throw new MissingValue(placeholderName(part))
    }
    return out
  }
}

function compileArgument(
  json: Record<string, unknown>,
  context: CompileContext,
  path: string,
): ValueTemplate {
  const { $: name, as, ...rest } = json
  if (typeof name !== 'string' || Object.keys(rest).length > 0)
    return reportAndOmit(context, path, 'must be `{"$": "argument"}` or `{"$": "argument", "as": "csv"}`.')
  if (!context.args.has(name))
    return reportAndOmit(context, path, `\`${name}\` is not a property of the input.`)
  context.usedArgs.add(name)
  if (as === undefined) {
    return (args) => {
      const value = args(name)
      return value === undefined ? ABSENT : value
    }
  }
  if (typeof as !== 'string' || !Object.hasOwn(CASTS, as))
    return reportAndOmit(context, `${path}/as`, `must be one of ${Object.keys(CASTS).join(', ')}.`)
  const cast = CASTS[as]!
  context.textArgs?.add(name)
  return (args) => {
    const value = args(name)
    return value === undefined ? ABSENT : value === null ? null : cast(value, name)
  }
}

function compileList(json: unknown[], context: CompileContext, path: string, depth: number): ValueTemplate {
  const items = json.map((item, index) =>
    compileValue(item, context, path + pointerSegment(index), depth + 1),
  )
  return (args, connection) => {
    const out: unknown[] = []
    for (const item of items) {
      const value = item(args, connection)
      if (value !== ABSENT) out.push(value)
    }
    return out.length === 0 && items.length > 0 ? ABSENT : out
  }
}

/**
 * An object or list whose every member was left out is left out too: `{"start": {"date": …}}` without a date
 * is no start at all.
 */
function compileObject(
  json: Record<string, unknown>,
  context: CompileContext,
  path: string,
  depth: number,
): ValueTemplate {
  const members = Object.entries(json).map(
    ([key, value]) => [key, compileValue(value, context, path + pointerSegment(key), depth + 1)] as const,
  )
  return (args, connection) => {
    const out: Record<string, unknown> = {}
    let some = members.length === 0
    for (const [key, member] of members) {
      const value = member(args, connection)
      if (value === ABSENT) continue
      out[key] = value
      some = true
    }
    return some ? out : ABSENT
  }
}

function reportAndOmit(context: CompileContext, path: string, reason: string): ValueTemplate {
  context.report.add(path, reason)
  return () => ABSENT
}
