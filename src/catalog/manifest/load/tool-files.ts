import { isObject } from '../../../platform/json-object.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'
import { inlineDefinitions } from './definitions.ts'
import { listFolder, readJson, reportFile, type ToolkitFiles } from './toolkit-files.ts'

/** The tools of a folder, with every definition written out. */
export interface ToolsSource {
  /** `{"tools": […]}`, or what the file has in its place; undefined where there is no file of tools. */
  readonly tools: unknown
  /** One file a tool, in the order of the tools; undefined for tools.json. */
  readonly toolFiles?: readonly string[] | undefined
}

/**
 * Reads `tools.json`, or the files of `tools/` with the definitions that they share in `schemas.json`. A toolkit
 * without both has generated tools, or none.
 */
export function readTools(files: ToolkitFiles, folder: string): ToolsSource | undefined {
  const names = listFolder(files, `${folder}/tools`)
  const single = readJson(files, `${folder}/tools.json`, 'optional')
  if (names.length === 0)
    return single ? inlineToolsFile(files, `${folder}/tools.json`, single.value) : { tools: undefined }
  if (single)
    return reportFile(
      files,
      `${folder}/tools.json`,
      'must not be next to a folder `tools`. Keep one of them.',
    )
  return readToolFolder(files, folder, names)
}

function inlineToolsFile(files: ToolkitFiles, file: string, value: unknown): ToolsSource | undefined {
  if (!isObject(value) || !Array.isArray(value['tools']) || !isObject(value['$defs'])) return { tools: value }
  const { $defs: definitions, ...rest } = value
  const report: DiagnosticReporter = {
    add: (path, reason) => void files.diagnostics.push({ file, path, reason }),
  }
  const tools = inlineDefinitions(value['tools'], definitions, report)
  return tools && { tools: { ...rest, tools } }
}

function readToolFolder(
  files: ToolkitFiles,
  folder: string,
  names: readonly string[],
): ToolsSource | undefined {
  const toolFiles = names.map((name) => `${folder}/tools/${name}`)
  const shared = readJson(files, `${folder}/schemas.json`, 'optional')
  const read = toolFiles.map((file) => readTool(files, file))
  if (read.some((tool) => tool === undefined)) return undefined
  const tools = read.map((tool) => tool!.value)
  if (!shared) return { tools: { tools }, toolFiles }
  const definitions = isObject(shared.value) ? shared.value['$defs'] : undefined
  if (!isObject(definitions)) return reportFile(files, `${folder}/schemas.json`, 'must be `{"$defs": {…}}`.')
  const report: DiagnosticReporter = {
    add: (path, reason) =>
      void files.diagnostics.push({ ...locateTool(toolFiles, path, `${folder}/schemas.json`), reason }),
  }
  const inlined = inlineDefinitions(tools, definitions, report)
  return inlined && { tools: { tools: inlined }, toolFiles }
}

function readTool(files: ToolkitFiles, file: string): { value: unknown } | undefined {
  const name = /([^/]+)\.json$/.exec(file)?.[1]
  if (name === undefined) return reportFile(files, file, 'is not a tool. Write `<SLUG>.json`.')
  const read = readJson(files, file)
  if (!read || !isObject(read.value)) return read
  const { $schema: _, ...tool } = read.value
  if (typeof tool['slug'] === 'string' && tool['slug'] !== name)
    files.diagnostics.push({
      file,
      path: '/slug',
      reason: `must be the name of the file, \`${name.slice(0, 64)}\`.`,
    })
  return { value: tool }
}

/** Returns the file and the place in it for a path below `/tools`; `otherFile` for any other path. */
export function locateTool(
  toolFiles: readonly string[] | undefined,
  path: string,
  otherFile: string,
): { file: string; path: string } {
  const [, index, rest = ''] = /^\/tools\/(\d+)(\/.*)?$/.exec(path) ?? []
  const file = index === undefined ? undefined : toolFiles?.[Number(index)]
  return file === undefined ? { file: otherFile, path } : { file, path: rest }
}
