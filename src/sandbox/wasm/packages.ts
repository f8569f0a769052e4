import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../platform/startup-error.ts'
import { pathInstalled } from './child/packages.ts'
import { listZip } from './child/zip.ts'

/** A Python package of the administrator, which sandboxes can import. */
export interface WheelPackage {
  readonly path: string
  /** Hexadecimal. */
  readonly sha256: string
  /** The top-level modules that it contains. */
  readonly modules: readonly string[]
  /** Whether it contains WebAssembly. */
  readonly isNative: boolean
}

/** What the list of packages of Pyodide, `pyodide-lock.json`, says. */
export interface PyodideLock {
  readonly info: { readonly abi_version: string; readonly arch: string; readonly python: string }
  readonly packages: Readonly<Record<string, { readonly file_name: string; readonly sha256: string }>>
}

const HASHES_FILE = 'SHA256SUMS'
const HASH_LINE = /^([0-9a-f]{64}) [ *](\S+\.whl)$/
const FILE_SUFFIX = /\.(py|so|abi3\.so|cpython-[\w-]+\.so)$/

/**
 * Reads the wheels of a folder. The hash of each must be known: from the list of Pyodide, or from the file SHA256SUMS
 * of the folder.
 * @throws StartupError that names the wheel and what to do
 */
export function readWheels(folder: string, lock: PyodideLock): WheelPackage[] {
  const names = listFolder(folder)
  const hashes = new Map([
    ...Object.values(lock.packages).map(({ file_name: name, sha256 }) => [name, sha256] as const),
    ...readHashes(folder, names),
  ])
  return names.filter((name) => name.endsWith('.whl')).map((name) => readWheel(folder, name, hashes, lock))
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch (error) {
    throw new StartupError(
      `WORKBENCH_PACKAGES_DIR is ${folder}, which cannot be read: ${(error as Error).message}`,
      'Create the folder, or remove the setting.',
      { cause: error },
    )
  }
}

const readHashes = (folder: string, names: readonly string[]): (readonly [string, string])[] =>
  names.includes(HASHES_FILE)
    ? readFileSync(join(folder, HASHES_FILE), 'utf8')
        .split(/\r?\n/)
        .flatMap((line) => {
          const [, sha256, name] = HASH_LINE.exec(line) ?? []
          return sha256 && name ? [[name.replace(/^\.\//, ''), sha256] as const] : []
        })
    : []

function readWheel(
  folder: string,
  name: string,
  hashes: ReadonlyMap<string, string>,
  lock: PyodideLock,
): WheelPackage {
  if (!isCompatible(name, lock))
    throw new StartupError(
      `${name} in WORKBENCH_PACKAGES_DIR is not for this Python.`,
      `Use a wheel whose name ends with -none-any.whl or -${platformOf(lock)}.whl.`,
    )
  const path = realpathSync(join(folder, name))
  const bytes = readFileSync(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const expected = hashes.get(name)
  if (expected === undefined)
    throw new StartupError(
      `${name} in WORKBENCH_PACKAGES_DIR has no known hash.`,
      `Compare it with the hash that its publisher states, then run "sha256sum *.whl > ${HASHES_FILE}" in the folder.`,
    )
  if (expected !== sha256)
    throw new StartupError(
      `${name} in WORKBENCH_PACKAGES_DIR has the SHA-256 hash ${sha256}, and ${expected} is expected.`,
      'Download the file again.',
    )
  return { path, sha256, ...contentOf(name, bytes) }
}

function contentOf(name: string, bytes: Buffer): Pick<WheelPackage, 'modules' | 'isNative'> {
  try {
    const files = listZip(bytes).map((entry) => pathInstalled(entry.name))
    const modules = files
      .map((file) => file.split('/')[0] as string)
      .filter((top) => !/\.(dist-info|data|libs)$/.test(top))
      .map((top) => top.replace(FILE_SUFFIX, ''))
    return { modules: [...new Set(modules)], isNative: files.some((file) => file.endsWith('.so')) }
  } catch (error) {
    throw new StartupError(
      `${name} in WORKBENCH_PACKAGES_DIR cannot be read: ${(error as Error).message}`,
      'Download the file again.',
      { cause: error },
    )
  }
}

const platformOf = ({ info }: PyodideLock): string => `pyemscripten_${info.abi_version}_${info.arch}`

/** Whether the tags of the name (PEP 427) fit: `NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM.whl`. */
function isCompatible(name: string, lock: PyodideLock): boolean {
  const [python, abi, platform] = name.slice(0, -'.whl'.length).split('-').slice(-3)
  const isPure = abi === 'none' && platform === 'any' && /(^|\.)py3/.test(python ?? '')
  return isPure || (platform?.split('.').includes(platformOf(lock)) ?? false)
}
