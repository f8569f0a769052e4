import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** The parts of a JSON Schema that the command line uses. */
export interface Schema {
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  description?: string
  examples?: readonly unknown[]
}

/** The kind of value that the text of a flag becomes. `mixed` is JSON if it looks like JSON, else text. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'texts' | 'json' | 'mixed'

export function kindOf(schema: Schema): ValueKind {
  const types = [schema.type ?? schema.anyOf?.flatMap(({ type }) => type ?? [])]
    .flat()
    .filter((type) => type !== 'null')
  if (types.length > 1 && types.includes('string')) return 'mixed'
  if (types.length !== 1) return 'json'
  if (types[0] === 'string') return 'text'
  if (types[0] === 'integer' || types[0] === 'number') return 'number'
  if (types[0] === 'boolean') return 'boolean'
  return types[0] === 'array' && schema.items?.type === 'string' ? 'texts' : 'json'
}

/** The placeholder of a value in help texts. */
export const PLACEHOLDERS: Readonly<Record<ValueKind, string>> = {
  text: '<text>',
  number: '<number>',
  boolean: '[boolean]',
  texts: '<text>',
  json: '<json>',
  mixed: '<text|json>',
}

/**
 * Returns the one field that an object needs, if it is a text: `--toolkit github` then means
 * `{"slug": "github"}`.
 */
export function soleField({ properties = {}, required = [] }: Schema): string | undefined {
  const [field, ...others] = required
  return field !== undefined &&
    others.length === 0 &&
    properties[field] &&
    kindOf(properties[field]) === 'text'
    ? field
    : undefined
}

/** Reads the value of a flag. @throws UsageError that names the flag */
export function readValue(
  flag: { name: string; kind: ValueKind; soleField?: string | undefined },
  input: string | boolean | string[],
  cwd: string,
): unknown {
  if (typeof input === 'boolean') return input
  if (Array.isArray(input)) return input.flatMap(splitList)
  switch (flag.kind) {
    case 'number':
      return readNumber(flag.name, input)
    case 'boolean':
      return readBoolean(flag.name, input)
    case 'json':
      if (flag.soleField !== undefined && !isJsonOrFile(input)) return { [flag.soleField]: input }
      return readJson(`--${flag.name}`, input, cwd)
    case 'mixed':
      return isJsonOrFile(input) ? readJson(`--${flag.name}`, input, cwd) : input
    default:
      return input
  }
}

const isJsonOrFile = (input: string): boolean => /^\s*[[{@]/.test(input)

/** Reads inline JSON, or `@file`. */
export function readJson(name: string, input: string, cwd: string): unknown {
  const fromFile = input.startsWith('@')
  const text = fromFile ? readFile(name, resolve(cwd, input.slice(1))) : input
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `${fromFile ? input.slice(1) : name} is not valid JSON: ${(error as Error).message}.`,
      `Write ${name} '{"key": "value"}', or use a file: ${name} @file.json.`,
    )
  }
}

/** Says why a file cannot be read. */
export function unreadableText(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? `File not found: ${path}.` : `${path} cannot be read (${code}).`
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${name}: ${unreadableText(path, error)}`, 'Use a file that exists.')
  }
}

// A value that contains a comma is written as a JSON list.
function splitList(text: string): unknown[] {
  if (!text.trimStart().startsWith('['))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  const list = readJson('A list', text, '.')
  return Array.isArray(list) ? list : [list]
}

function readNumber(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`--${name} takes a number, not "${text}".`, `For example --${name} 20.`)
  return value
}

function readBoolean(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new UsageError(
      `--${name} takes true or false, not "${text}".`,
      `Write --${name}, --${name}=true or --no-${name}.`,
    )
  return text === 'true'
}
