import { StartupError } from '../../platform/startup-error.ts'

/** The version of the archive format. A program reads the versions up to its own. */
export const FORMAT = 1

export interface TableCopy {
  name: string
  columns: readonly string[]
}

/** A partition by time. The times are in PostgreSQL's text format. */
export interface PartitionCopy {
  parent: string
  starts_at: string
  ends_at: string
}

/** The first entry of a backup. */
export interface Manifest {
  format: number
  /** ISO 8601, UTC. */
  created_at: string
  program_version: string
  migrations: readonly { name: string; checksum: string }[]
  /** Ids of the keys that encrypted the stored values, with a value that each of them encrypted. */
  keys: readonly { id: string; check: string }[]
  /** Whether the entry `keys.json` contains these keys, encrypted with a passphrase. */
  has_keys: boolean
  has_files: boolean
  /** In an order in which each table follows those that it references. */
  tables: readonly TableCopy[]
  /** Absent in backups of databases without partitions. */
  partitions?: readonly PartitionCopy[]
}

/** The last entry: without it the backup is incomplete. */
export interface Contents {
  /** By entry, in order. */
  entries: readonly { name: string; bytes: number; sha256: string }[]
  /** Rows by table. */
  rows: Readonly<Record<string, number>>
  /** The sequences of columns, by table. */
  sequences: readonly { table: string; column: string; value: number }[]
  jobs: number
  files: number
  /** Files that retention removed while the backup was made. */
  files_missing: number
}

export const ENTRIES = {
  manifest: 'manifest.json',
  keys: 'keys.json',
  contents: 'contents.json',
  file: (key: string) => `files/${key}`,
  table: (name: string, portion: number) => `tables/${name}/${portion}.copy`,
  jobs: (portion: number) => `jobs/${portion}.json`,
} as const

/** Reads the first entry. @throws StartupError if another program, or a later release, wrote the backup */
export function parseManifest(bytes: Buffer, file: string): Manifest {
  let manifest: Partial<Manifest> = {}
  try {
    manifest = JSON.parse(bytes.toString('utf8')) as Partial<Manifest>
  } catch {
    throw damaged(file, `${ENTRIES.manifest} is not JSON`)
  }
  if (typeof manifest?.format !== 'number' || !Array.isArray(manifest.tables)) throw noBackup(file)
  if (manifest.format > FORMAT)
    throw new StartupError(
      `${file} has the format ${manifest.format}; this release reads formats up to ${FORMAT}.`,
      `Use Patchbay ${manifest.program_version ?? ''} or later.`,
    )
  return manifest as Manifest
}

export const noBackup = (file: string): StartupError =>
  new StartupError(
    `${file} is not a backup of Patchbay.`,
    'Name a file that `patchbay backup <file>` has written.',
  )

export const damaged = (file: string, reason: string, cause?: unknown): StartupError =>
  new StartupError(
    `The backup ${file} is damaged: ${reason}.`,
    'Nothing was restored from it. Use another copy of this backup, or an earlier backup.',
    { cause },
  )
