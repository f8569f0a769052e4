import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartupError } from '../../../platform/startup-error.ts'
import type { CodeLoader } from '../compile/toolkit.ts'
import type { CodeTool } from '../../code-tool.ts'
import type { Diagnostic } from '../diagnostics.ts'

/** One version of a toolkit as its files hold it. */
export interface ToolkitVersionSource {
  toolkit: unknown
  tools: unknown
  triggers?: unknown
  code?: CodeLoader | undefined
}

/** A toolkit as its folder holds it; also what catalogues made in memory are given as. */
export interface ToolkitSource extends ToolkitVersionSource {
  slug: string
  icon?: string | undefined
  /** Older releases: `versions/<YYYYMMDD_NN>/`. */
  versions?: readonly (ToolkitVersionSource & { version: string })[] | undefined
}

const FILE_BYTES_MAX = 4 * 1024 * 1024
const DEPTH_MAX = 64

/** Reads the folder of every toolkit; what cannot be read becomes a mistake. */
export async function readToolkits(folder: string, mistakes: Diagnostic[]): Promise<ToolkitSource[]> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw new StartupError(
      `There is no folder of toolkits at ${folder}.`,
      'Give the folder that holds one folder a toolkit.',
      { cause },
    )
  })
  const entries = (await readdir(root, { withFileTypes: true })).filter(
    (entry) => !entry.name.startsWith('.') && !entry.isFile(),
  )
  const sources = await Promise.all(entries.map(({ name }) => readToolkit(root, name, mistakes)))
  return sources.filter((source) => source !== undefined).sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

export async function readToolkit(
  root: string,
  slug: string,
  mistakes: Diagnostic[],
): Promise<ToolkitSource | undefined> {
  const files = createToolkitFiles(root, slug, mistakes)
  if (!(await files.isInside(slug)))
    return void mistakes.push({ file: slug, path: '', reason: 'is no folder below the toolkits folder.' })
  const [current, icon, versions] = await Promise.all([
    readVersion(files, slug),
    files.text(`${slug}/icon.svg`),
    readVersions(files, slug),
  ])
  return (
    current && {
      slug,
      ...current,
      icon,
      versions: versions.map((one) => ({ ...one, code: one.code ?? current.code })),
    }
  )
}

async function readVersions(
  files: ToolkitFiles,
  slug: string,
): Promise<(ToolkitVersionSource & { version: string })[]> {
  const folder = `${slug}/versions`
  const names = (await files.list(folder)).filter((name) => !name.startsWith('.'))
  const read = await Promise.all(
    names.map(async (version) => {
      const one = await readVersion(files, `${folder}/${version}`)
      return one && { version, ...one }
    }),
  )
  return read.filter((one) => one !== undefined)
}

async function readVersion(files: ToolkitFiles, folder: string): Promise<ToolkitVersionSource | undefined> {
  const [toolkit, tools, triggers, code] = await Promise.all([
    files.json(`${folder}/toolkit.json`),
    files.json(`${folder}/tools.json`),
    files.json(`${folder}/triggers.json`, 'optional'),
    files.code(`${folder}/tools.ts`),
  ])
  return toolkit && tools && { toolkit: toolkit.value, tools: tools.value, triggers: triggers?.value, code }
}

/** A code tool stands in the record that the module exports as `tools`, under its slug. */
async function importCodeTools(file: string): Promise<Readonly<Record<string, CodeTool>>> {
  const { tools } = (await import(pathToFileURL(file).href)) as { tools?: Record<string, CodeTool> }
  if (tools === null || typeof tools !== 'object')
    throw new Error('tools.ts does not export a record named `tools`.')
  return tools
}

type ToolkitFiles = ReturnType<typeof createToolkitFiles>

function createToolkitFiles(root: string, slug: string, mistakes: Diagnostic[]) {
  const wrong = (file: string, reason: string): undefined => void mistakes.push({ file, path: '', reason })

  const exists = (file: string) =>
    lstat(join(root, file)).then(
      () => true,
      () => false,
    )

  /** The real path, if it exists and no symbolic link leads out of the toolkit's folder. */
  async function inside(file: string): Promise<string | undefined> {
    const real = await realpath(join(root, file)).catch(() => undefined)
    if (real === undefined) return undefined
    return real === join(root, slug) || real.startsWith(join(root, slug) + sep)
      ? real
      : wrong(file, 'leads out of the folder of its toolkit.')
  }

  async function text(file: string): Promise<string | undefined> {
    const real = await inside(file)
    if (real === undefined) return undefined
    const { size } = await stat(real)
    if (size > FILE_BYTES_MAX) return wrong(file, `is larger than ${FILE_BYTES_MAX} bytes.`)
    return readFile(real, 'utf8').catch((error: unknown) =>
      wrong(file, `cannot be read (${(error as NodeJS.ErrnoException).code}).`),
    )
  }

  return {
    text,
    async isInside(file: string): Promise<boolean> {
      const real = await realpath(join(root, file)).catch(() => undefined)
      return real === join(root, file) && (await stat(real)).isDirectory()
    },
    async list(folder: string): Promise<string[]> {
      const real = await inside(folder)
      return real === undefined ? [] : readdir(real).catch(() => wrong(folder, 'is no folder.') ?? [])
    },
    async json(file: string, need?: 'optional'): Promise<{ value: unknown } | undefined> {
      if (!(await exists(file))) return need === 'optional' ? undefined : wrong(file, 'is missing.')
      const source = await text(file)
      if (source === undefined) return undefined
      let value: unknown
      try {
        value = JSON.parse(source.replace(/^\uFEFF/, ''))
      } catch (error) {
        return wrong(file, `is not JSON: ${(error as Error).message.slice(0, 200)}`)
      }
      const reason = unsafeJsonReason(value)
      return reason === undefined ? { value } : wrong(file, reason)
    },
    async code(file: string): Promise<CodeLoader | undefined> {
      const real = await inside(file)
      return real === undefined ? undefined : () => importCodeTools(real)
    },
  }
}

/** What no manifest may hold, whatever its shape: depth that exhausts the stack of a later walk, and keys that change a prototype. */
export function unsafeJsonReason(value: unknown): string | undefined {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return `is nested deeper than ${DEPTH_MAX} levels.`
    const next: unknown[] = []
    for (const one of level) {
      if (one === null || typeof one !== 'object') continue
      if (Object.hasOwn(one, '__proto__')) return 'must not use the key `__proto__`.'
      for (const inner of Object.values(one))
        if (inner !== null && typeof inner === 'object') next.push(inner)
    }
    level = next
  }
  return undefined
}
