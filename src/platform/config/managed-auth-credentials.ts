import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasPermission } from '../file-mode.ts'
import type { Rule } from './rules.ts'

/** Credentials of the administrator for one scheme of a toolkit: `{ client_id, client_secret, … }`. */
export interface ManagedAuthEntry {
  toolkit: string
  scheme: string
  values: Readonly<Record<string, string | readonly string[]>>
}

const BYTES_MAX = 1024 * 1024

/** Credentials of the administrator. Printing this object shows none of them, and they can be read once. */
export class ManagedAuthCredentials {
  /** The setting with the credentials. */
  readonly source: string
  /** Absolute path; undefined if the setting contains the credentials. */
  readonly file: string | undefined
  #entries: readonly ManagedAuthEntry[]

  constructor(source: string, entries: readonly ManagedAuthEntry[], file?: string) {
    this.source = source
    this.file = file
    this.#entries = entries
  }

  /** Returns the entries and forgets them. */
  take(): readonly ManagedAuthEntry[] {
    const entries = this.#entries
    this.#entries = []
    return entries
  }
}

const SHAPE = '`{"<toolkit>": {"<SCHEME>": {"client_id": "…", "client_secret": "…"}}}`'

export const managedAuth: Rule<ManagedAuthCredentials> = {
  must: `JSON of the shape ${SHAPE}`,
  read: (text) => new ManagedAuthCredentials('MANAGED_AUTH', entriesOf(text)),
}

export const managedAuthFile: Rule<ManagedAuthCredentials> = {
  must: `the path of a file that others cannot read, with JSON of the shape ${SHAPE}`,
  read: (path, cwd) => readManagedAuthFile(resolve(cwd, path)),
}

/** Reads the file. @throws Error that describes the problem without any value */
export const readManagedAuthFile = (file: string): ManagedAuthCredentials =>
  new ManagedAuthCredentials('MANAGED_AUTH_FILE', entriesOf(textOf(file)), file)

function textOf(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    throw new Error(`it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    // Check the open file, not its name: another user could replace the file between check and reading.
    const { mode, size } = fstatSync(descriptor)
    if (hasPermission(mode, 0o007))
      throw new Error(
        `all users of this machine may read it (mode ${(mode & 0o777).toString(8)}); run \`chmod 600\` on it`,
      )
    if (size > BYTES_MAX) throw new Error(`it is larger than ${BYTES_MAX} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/** @throws Error that names the position, and shows names only */
function entriesOf(text: string): ManagedAuthEntry[] {
  const toolkits = mapOf(parse(text), 'it')
  return Object.entries(toolkits).flatMap(([toolkit, schemes]) =>
    Object.entries(mapOf(schemes, safeName(toolkit))).map(([scheme, values]) => {
      const place = `${safeName(toolkit)}.${safeName(scheme)}`
      for (const [field, value] of Object.entries(mapOf(values, place))) {
        if (
          typeof value !== 'string' &&
          !(Array.isArray(value) && value.every((one) => typeof one === 'string'))
        )
          throw new Error(`${place}.${safeName(field)} must be a string or a list of strings`)
      }
      return { toolkit, scheme: scheme.toUpperCase(), values: values as ManagedAuthEntry['values'] }
    }),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser quotes the text, which may be secret. Only the position is shown.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? []
    throw new Error(`it is not JSON${place ? ` (${place})` : ''}`)
  }
}

function mapOf(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${place} is not an object`)
  return value as Record<string, unknown>
}

/** Shows a name, unless it could be a secret in the wrong place. */
const safeName = (name: string): string => (/^[\w.-]{1,40}$/.test(name) ? name : '(an invalid name)')
