import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** What the command line reads of a JSON Schema. */
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

/** How the text of a flag becomes a value; `mixed` is JSON when it looks like it, else the text. */
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

/** The shape of a value, as help writes it. */
export const PLACEHOLDERS: Readonly<Record<ValueKind, string>> = {
  text: '<text>',
  number: '<number>',
  boolean: '[boolean]',
  texts: '<text>',
  json: '<json>',
  mixed: '<text|json>',
}

/** Reads the value of a flag; throws a UsageError that names it. */
export function readValue(
  flag: { name: string; kind: ValueKind },
  given: string | boolean | string[],
  cwd: string,
): unknown {
  if (typeof given === 'boolean') return given
  if (Array.isArray(given)) return given.flatMap(splitList)
  switch (flag.kind) {
    case 'number':
      return readNumber(flag.name, given)
    case 'boolean':
      return readBoolean(flag.name, given)
    case 'json':
      return readJson(`--${flag.name}`, given, cwd)
    case 'mixed':
      return /^\s*[[{@]/.test(given) ? readJson(`--${flag.name}`, given, cwd) : given
    default:
      return given
  }
}

/** Inline JSON, or `@file` with it. */
export function readJson(name: string, given: string, cwd: string): unknown {
  const fromFile = given.startsWith('@')
  const text = fromFile ? readFile(name, resolve(cwd, given.slice(1))) : given
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `${fromFile ? given.slice(1) : name} is not JSON: ${(error as Error).message}.`,
      `Write it as ${name} '{"key": "value"}', or name a file: ${name} @file.json.`,
    )
  }
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      'Name a file that exists.',
    )
  }
}

// A text with a comma in it is written as a JSON list.
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
      `Write --${name} alone at the end, --${name}=true or --no-${name}.`,
    )
  return text === 'true'
}
