import { readdirSync, realpathSync } from 'node:fs'
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

/**
 * Returns the real path of a toolkits folder, and the names of the folders of its toolkits.
 * @throws StartupError where the folder does not exist
 */
export function listToolkits(folder: string): { root: string; slugs: string[] } {
  let root: string
  try {
    root = realpathSync(folder)
  } catch (cause) {
    throw new StartupError(
      `The toolkits folder ${folder} does not exist.`,
      'Give a folder that contains one folder for each toolkit.',
      { cause },
    )
  }
  const slugs = readdirSync(root, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== FAMILIES_FOLDER && !entry.isFile())
    .map(({ name }) => name)
  return { root, slugs: slugs.sort() }
}

/** Reads the folder of every toolkit, by slug. What cannot be read becomes a diagnostic. */
export function readToolkits(folder: string, diagnostics: Diagnostic[]): ToolkitSource[] {
  const { root, slugs } = listToolkits(folder)
  const families: FamilyCache = new Map()
  return slugs
    .map((slug) => readToolkit(root, slug, diagnostics, families))
    .filter((source) => source !== undefined)
}

/**
 * Lists the folder of a toolkit, or only its first level. Undefined where it is none. `root`: the real path of the
 * toolkits folder.
 */
export function openToolkitFolder(
  root: string,
  slug: string,
  diagnostics: Diagnostic[],
  recursive = true,
): ToolkitFiles | undefined {
  const folder: ToolkitFiles = { root, folder: slug, diagnostics }
  if (!isFolder(folder)) return reportFile(folder, slug, 'is not a folder below the toolkits folder.')
  return { ...folder, entries: listEntries(root, slug, recursive) }
}

/** Reads one toolkit. `root`: the real path of the toolkits folder. */
export function readToolkit(
  root: string,
  slug: string,
  diagnostics: Diagnostic[],
  families: FamilyCache = new Map(),
): ToolkitSource | undefined {
  const files = openToolkitFolder(root, slug, diagnostics)
  const current = files && readVersion(files, slug, families)
  if (!current) return undefined
  return {
    slug,
    ...current,
    icon: readText(files, `${slug}/icon.svg`),
    versions: readOlderVersions(files, slug, families).map((version) => ({
      ...version,
      code: version.code ?? current.code,
    })),
  }
}

function readOlderVersions(
  files: ToolkitFiles,
  slug: string,
  families: FamilyCache,
): (ToolkitVersionSource & { version: string })[] {
  const folder = `${slug}/versions`
  return listFolder(files, folder)
    .map((version) => {
      const source = readVersion(files, `${folder}/${version}`, families)
      return source && { version, ...source }
    })
    .filter((source) => source !== undefined)
}

/** Reads the toolkit.json of a version, with the blocks of its family written out. */
export function readManifest(
  files: ToolkitFiles,
  folder: string,
  families: FamilyCache,
): { value: unknown } | undefined {
  const read = readJson(files, `${folder}/toolkit.json`)
  return read && { value: applyFamily(files, `${folder}/toolkit.json`, read.value, families) }
}

function readVersion(
  files: ToolkitFiles,
  folder: string,
  families: FamilyCache,
): ToolkitVersionSource | undefined {
  const toolkit = readManifest(files, folder, families)
  const tools = readTools(files, folder)
  const triggers = readJson(files, `${folder}/triggers.json`, 'optional')
  const code = findCode(files, folder)
  const operations = readOperations(files, `${folder}/operations.bin`)
  if (!toolkit || !tools) return undefined
  return {
    toolkit: toolkit.value,
    ...tools,
    triggers: triggers?.value,
    code: code === undefined ? undefined : () => importCodeTools(code),
    operations,
  }
}

/** Opens the generated tools of a toolkit. Undefined where there are none. */
export function readOperations(files: ToolkitFiles, file: string): OperationsFile | undefined {
  const path = realPathInside(files, file)
  if (path === undefined) return undefined
  try {
    return OperationsFile.open(path)
  } catch (error) {
    return reportFile(files, file, (error as Error).message)
  }
}

/** The file with the code tools: `tools.ts`, and in the npm package, which contains compiled code, `tools.js`. */
function findCode(files: ToolkitFiles, folder: string): string | undefined {
  return realPathInside(files, `${folder}/tools.ts`) ?? realPathInside(files, `${folder}/tools.js`)
}

/** Imports the record `tools` of a tools.ts: slug to function. */
async function importCodeTools(file: string): Promise<Readonly<Record<string, CodeTool>>> {
  const { tools } = (await import(pathToFileURL(file).href)) as { tools?: Record<string, CodeTool> }
  if (tools === null || typeof tools !== 'object')
    throw new Error('tools.ts does not export a record named `tools`.')
  return tools
}
