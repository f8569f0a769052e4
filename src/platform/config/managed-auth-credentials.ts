import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Rule } from './rules.ts'

/** What the operator gives for one scheme of one toolkit: `{ client_id, client_secret, … }`. */
export interface ManagedAuthEntry {
  toolkit: string
  scheme: string
  values: Readonly<Record<string, string | readonly string[]>>
}

const BYTES_MAX = 1024 * 1024

/** The operator's own credentials as they were read. Nothing that prints this shows one, and they can be taken out once. */
export class ManagedAuthCredentials {
  /** The setting they come from. */
  readonly source: string
  /** Absolute; undefined when they stand in the setting itself. */
  readonly file: string | undefined
  #entries: readonly ManagedAuthEntry[]

  constructor(source: string, entries: readonly ManagedAuthEntry[], file?: string) {
    this.source = source
    this.file = file
    this.#entries = entries
  }

  /** The entries; from then on this holds nothing. */
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

/** What stands in the file now. @throws Error that says what is wrong with it; no value is in it */
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
    // Of the open file, not of the name: nobody can exchange it between the check and the reading.
    const { mode, size } = fstatSync(descriptor)
    if (process.platform !== 'win32' && (mode & 0o007) !== 0)
      throw new Error(
        `all users of this machine may read it (mode ${(mode & 0o777).toString(8)}); run \`chmod 600\` on it`,
      )
    if (size > BYTES_MAX) throw new Error(`it is larger than ${BYTES_MAX} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/** @throws Error that says where the text is wrong, and shows none of it but names */
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
          throw new Error(`${place}.${safeName(field)} is neither a text nor a list of texts`)
      }
      return { toolkit, scheme: scheme.toUpperCase(), values: values as ManagedAuthEntry['values'] }
    }),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser quotes what it read; only the place may be told.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? []
    throw new Error(`it is not JSON${place ? ` (${place})` : ''}`)
  }
}

function mapOf(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${place} is no object`)
  return value as Record<string, unknown>
}

/** A name, unless it may be a secret in the wrong place. */
const safeName = (name: string): string => (/^[\w.-]{1,40}$/.test(name) ? name : '(a name that is none)')
