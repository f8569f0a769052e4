import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathBelow } from '../../../platform/slash-path.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { unsafeJsonReason } from './unsafe-json.ts'

// Small files at the start of the program: synchronous reads take a fifth of the processor time.

const FILE_BYTES_MAX = 4 * 1024 * 1024

/** Access to the files of one folder below the toolkits folder. Problems become diagnostics. */
export interface ToolkitFiles {
  /** Real path of the toolkits folder. */
  readonly root: string
  /** Folder below `root`. No file outside of it is read, not even through a symbolic link. */
  readonly folder: string
  readonly diagnostics: Diagnostic[]
  /** What is in the folder; undefined: each file is looked up when it is read. */
  readonly entries?: FolderEntries | undefined
}

/** By path below the toolkits folder, with `/`. Symbolic links are not followed, so nothing below one is listed. */
export type FolderEntries = ReadonlyMap<string, Dirent>

/**
 * Lists everything in a folder of the toolkits folder, or only its first level. One pass: a catalogue has thousands of
 * files, and most of the optional ones do not exist.
 */
export function listEntries(root: string, folder: string, recursive = true): FolderEntries {
  const all = readdirSync(join(root, folder), { recursive, withFileTypes: true })
  return new Map(all.map((entry) => [pathBelow(root, join(entry.parentPath, entry.name)), entry]))
}

/** Adds a diagnostic about a whole file. Paths of files are relative to the toolkits folder. */
export const reportFile = ({ diagnostics }: ToolkitFiles, file: string, reason: string): undefined =>
  void diagnostics.push({ file, path: '', reason })

export function isFolder({ root, folder }: ToolkitFiles): boolean {
  return lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory() ?? false
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Returns the real path of a file that exists and is inside the folder. */
export function realPathInside(files: ToolkitFiles, file: string): string | undefined {
  const plain = plainPath(files, file)
  if (plain !== null) return plain
  const folder = join(files.root, files.folder)
  const real = realPath(join(files.root, file))
  if (real === undefined) return undefined
  return real === folder || real.startsWith(folder + sep)
    ? real
    : reportFile(files, file, 'is a link to a place outside of the folder of its toolkit.')
}

/**
 * The path of a file without a symbolic link in it, undefined if it does not exist, or null: the disk must be asked.
 */
function plainPath({ root, entries }: ToolkitFiles, file: string): string | null | undefined {
  if (!entries) return null
  const path = join(root, file)
  for (let at = file; at.includes('/'); at = at.slice(0, at.lastIndexOf('/')))
    if (entries.get(at)?.isSymbolicLink()) return null
  return entries.has(file) ? path : undefined
}

export function readText(files: ToolkitFiles, file: string): string | undefined {
  const real = realPathInside(files, file)
  if (real === undefined) return undefined
  try {
    if (statSync(real).size > FILE_BYTES_MAX)
      return reportFile(files, file, `is larger than ${FILE_BYTES_MAX} bytes.`)
    return readFileSync(real, 'utf8')
  } catch (error) {
    return reportFile(files, file, `cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Returns the names in a folder, sorted; none where there is no such folder. */
export function listFolder(files: ToolkitFiles, folder: string): string[] {
  const real = realPathInside(files, folder)
  if (real === undefined) return []
  try {
    return readdirSync(real)
      .filter((name) => !name.startsWith('.'))
      .sort()
  } catch {
    return reportFile(files, folder, 'is not a folder.') ?? []
  }
}

/** Reads a JSON file. Undefined where it is missing or unusable; only an optional file may be missing. */
export function readJson(
  files: ToolkitFiles,
  file: string,
  need: 'required' | 'optional' = 'required',
): { value: unknown } | undefined {
  const exists = files.entries
    ? files.entries.has(file)
    : lstatSync(join(files.root, file), { throwIfNoEntry: false }) !== undefined
  if (!exists) return need === 'optional' ? undefined : reportFile(files, file, 'is missing.')
  const source = readText(files, file)
  if (source === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(source.replace(/^\uFEFF/, ''))
  } catch (error) {
    return reportFile(files, file, `is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
  const reason = unsafeJsonReason(value)
  return reason === undefined ? { value } : reportFile(files, file, reason)
}
