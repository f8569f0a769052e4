import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { WheelPackage } from '../packages.ts'
import type { EmscriptenFs } from './emscripten.ts'
import { listZip, readZipEntry } from './zip.ts'

/** The hashes of the native libraries that may be loaded: those of the packages of the administrator. */
export type LibraryHashes = Set<string>

/** @returns the SHA-256 hash of bytes, hexadecimal */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns a function that unpacks the packages with a top-level module, when it is first imported. It returns whether
 * it unpacked something. Code of agents can call it; it can only name modules.
 */
export function createPackages(
  FS: EmscriptenFs,
  folder: string,
  packages: readonly WheelPackage[],
  libraries: LibraryHashes,
): (module: string) => boolean {
  const byModule = new Map<string, WheelPackage[]>()
  for (const one of packages)
    for (const module of one.modules) byModule.set(module, [...(byModule.get(module) ?? []), one])
  const unpacked = new Set<string>()
  return (module) => {
    const missing = (byModule.get(String(module)) ?? []).filter(({ path }) => !unpacked.has(path))
    for (const { path, sha256 } of missing) {
      unpacked.add(path)
      const archive = readFileSync(path)
      if (hashOf(archive) !== sha256) throw new Error('A package was changed after the server started.')
      unpack(FS, folder, archive, libraries)
    }
    return missing.length > 0
  }
}

function unpack(FS: EmscriptenFs, folder: string, archive: Buffer, libraries: LibraryHashes): void {
  for (const entry of listZip(archive)) {
    const bytes = readZipEntry(archive, entry)
    if (entry.name.endsWith('.so')) libraries.add(hashOf(bytes))
    const path = `${folder}/${pathInstalled(entry.name)}`
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')))
    FS.writeFile(path, bytes)
  }
}

/** The path below site-packages. Wheels may have modules in `NAME.data/purelib`. */
export const pathInstalled = (name: string): string => name.replace(/^[^/]+\.data\/(purelib|platlib)\//, '')
