import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renameFile } from '../../platform/rename-file.ts'
import type { ConsoleBundle, ConsoleFile } from '../../features/console/index.ts'
import { siblingModule } from '../../platform/module-url.ts'
import { ROOT } from '../version.ts'
import { CONSOLE_SOURCE } from './build.ts'

/** The console imports tables from the contract. */
const CONTRACT_SOURCE = fileURLToPath(new URL('../../contract/', import.meta.url))
const INDEX = 'bundle.json'

interface Index extends Omit<ConsoleBundle, 'files'> {
  files: Record<string, string>
}

/** Returns a name for the bundle of these sources and package versions. */
export async function bundleHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of [CONSOLE_SOURCE, CONTRACT_SOURCE])
    for (const file of globSync('**/*.{ts,tsx,css,svg}', { cwd: folder }).sort())
      hash.update(`${file}\0`).update(await readFile(join(folder, file)))
  hash.update(await readFile(fileURLToPath(new URL('package.json', ROOT))))
  hash.update(await readFile(fileURLToPath(siblingModule(import.meta.url, 'build'))))
  return hash.digest('hex').slice(0, 16)
}

/** Writes a bundle completely or not at all: after a crash, there is no folder of that name. */
export async function writeBundle(folder: string, { files, ...index }: ConsoleBundle): Promise<void> {
  const draft = `${folder}.${process.pid}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const types: Index['files'] = {}
  for (const [name, { type, bytes, brotli, gzip }] of files) {
    types[name] = type
    await writeFile(join(draft, name), bytes)
    await writeFile(join(draft, `${name}.br`), brotli)
    await writeFile(join(draft, `${name}.gz`), gzip)
  }
  await writeFile(join(draft, INDEX), JSON.stringify({ ...index, files: types } satisfies Index))
  await rm(folder, { recursive: true, force: true })
  await renameFile(draft, folder)
}

/** Whether the folder has a bundle, which `readBundle` may still find damaged. */
export function hasBundle(folder: string): Promise<boolean> {
  return access(join(folder, INDEX)).then(
    () => true,
    () => false,
  )
}

/** Reads a bundle. Returns undefined if the folder does not exist or lacks a file. */
export async function readBundle(folder: string): Promise<ConsoleBundle | undefined> {
  try {
    const { files: types, ...index } = JSON.parse(await readFile(join(folder, INDEX), 'utf8')) as Index
    const files = new Map<string, ConsoleFile>()
    for (const [name, type] of Object.entries(types)) {
      const [bytes, brotli, gzip] = await Promise.all(
        ['', '.br', '.gz'].map((suffix) => readFile(join(folder, `${name}${suffix}`))),
      )
      files.set(name, { type, bytes, brotli, gzip } as ConsoleFile)
    }
    return { ...index, files }
  } catch {
    return undefined
  }
}
