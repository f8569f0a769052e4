import { readdir, realpath } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { StartupError } from '../../../platform/startup-error.ts'
import type { CodeTool } from '../../code-tool.ts'
import type { CodeLoader } from '../compile/tool.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { applyFamily, FAMILIES_FOLDER, type FamilyCache } from './families.ts'
import { OperationsFile } from './operations/index.ts'
import { readTools } from './tool-files.ts'
import {
  isFolder,
  listEntries,
  listFolder,
  readJson,
  readText,
  realPathInside,
  reportFile,
  type ToolkitFiles,
} from './toolkit-files.ts'

/**
 * One version of a toolkit as its files have it: families and definitions are written out, nothing is
 * validated.
 */
export interface ToolkitVersionSource {
  toolkit: unknown
  tools: unknown
  /** Path of the file of each tool below the toolkits folder; undefined where all are in tools.json. */
  toolFiles?: readonly string[] | undefined
  triggers?: unknown
  code?: CodeLoader | undefined
  /** Generated tools of the newest release. */
  operations?: OperationsFile | undefined
}

/** A toolkit as its folder has it. Catalogues in memory are made of the same records. */
export interface ToolkitSource extends ToolkitVersionSource {
  slug: string
  icon?: string | undefined
  /** Older releases: `versions/<YYYYMMDD_NN>/`. */
  versions?: readonly (ToolkitVersionSource & { version: string })[] | undefined
}

/** Reads the folder of every toolkit. What cannot be read becomes a diagnostic. */
export async function readToolkits(folder: string, diagnostics: Diagnostic[]): Promise<ToolkitSource[]> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw new StartupError(
      `The toolkits folder ${folder} does not exist.`,
      'Give a folder that contains one folder for each toolkit.',
      { cause },
    )
  })
  const entries = (await readdir(root, { withFileTypes: true })).filter(
    (entry) => !entry.name.startsWith('.') && entry.name !== FAMILIES_FOLDER && !entry.isFile(),
  )
  const families: FamilyCache = new Map()
  const sources = await Promise.all(entries.map(({ name }) => readToolkit(root, name, diagnostics, families)))
  return sources.filter((source) => source !== undefined).sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** Reads one toolkit. `root`: the real path of the toolkits folder. */
export async function readToolkit(
  root: string,
  slug: string,
  diagnostics: Diagnostic[],
  families: FamilyCache = new Map(),
): Promise<ToolkitSource | undefined> {
  const folder: ToolkitFiles = { root, folder: slug, diagnostics }
  if (!(await isFolder(folder))) return reportFile(folder, slug, 'is not a folder below the toolkits folder.')
  const files: ToolkitFiles = { ...folder, entries: listEntries(root, slug) }
  const [current, icon, versions] = await Promise.all([
    readVersion(files, slug, families),
    readText(files, `${slug}/icon.svg`),
    readOlderVersions(files, slug, families),
  ])
  return (
    current && {
      slug,
      ...current,
      icon,
      versions: versions.map((version) => ({ ...version, code: version.code ?? current.code })),
    }
  )
}

async function readOlderVersions(
  files: ToolkitFiles,
  slug: string,
  families: FamilyCache,
): Promise<(ToolkitVersionSource & { version: string })[]> {
  const folder = `${slug}/versions`
  const sources = await Promise.all(
    (await listFolder(files, folder)).map(async (version) => {
      const source = await readVersion(files, `${folder}/${version}`, families)
      return source && { version, ...source }
    }),
  )
  return sources.filter((source) => source !== undefined)
}

async function readVersion(
  files: ToolkitFiles,
  folder: string,
  families: FamilyCache,
): Promise<ToolkitVersionSource | undefined> {
  const [toolkit, tools, triggers, code, operations] = await Promise.all([
    readJson(files, `${folder}/toolkit.json`),
    readTools(files, folder),
    readJson(files, `${folder}/triggers.json`, 'optional'),
    findCode(files, folder),
    readOperations(files, `${folder}/operations.bin`),
  ])
  if (!toolkit || !tools) return undefined
  return {
    toolkit: await applyFamily(files, `${folder}/toolkit.json`, toolkit.value, families),
    ...tools,
    triggers: triggers?.value,
    code: code === undefined ? undefined : () => importCodeTools(code),
    operations,
  }
}

/** Opens the generated tools of a toolkit. Undefined where there are none. */
async function readOperations(files: ToolkitFiles, file: string): Promise<OperationsFile | undefined> {
  const path = await realPathInside(files, file)
  if (path === undefined) return undefined
  try {
    return OperationsFile.open(path)
  } catch (error) {
    return reportFile(files, file, (error as Error).message)
  }
}

/** The file with the code tools: `tools.ts`, and in the npm package, which contains compiled code, `tools.js`. */
async function findCode(files: ToolkitFiles, folder: string): Promise<string | undefined> {
  return (
    (await realPathInside(files, `${folder}/tools.ts`)) ?? (await realPathInside(files, `${folder}/tools.js`))
  )
}

/** Imports the record `tools` of a tools.ts: slug to function. */
async function importCodeTools(file: string): Promise<Readonly<Record<string, CodeTool>>> {
  const { tools } = (await import(pathToFileURL(file).href)) as { tools?: Record<string, CodeTool> }
  if (tools === null || typeof tools !== 'object')
    throw new Error('tools.ts does not export a record named `tools`.')
  return tools
}
