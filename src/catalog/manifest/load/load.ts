import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { createCatalog } from '../../query/catalog.ts'
import type { ToolkitReleases } from '../../query/toolkit-releases.ts'
import type { Catalog } from '../../types/index.ts'
import type { CompiledToolkit } from '../compile/toolkit.ts'
import { type Diagnostic, ManifestError } from '../diagnostics.ts'
import { checkIcon } from '../lint/toolkit.ts'
import { compileSource } from './compile-source.ts'
import { reporterFor, toolsReporter } from './compile-version.ts'
import { withOperations } from './operations/index.ts'
import { readToolkit, readToolkits, type ToolkitSource } from './read.ts'

export interface LoadOptions {
  /** Folder with one folder for each toolkit. */
  folder: string
  /**
   * Checks everything: compiles the schemas of arguments, imports code tools, checks icons. A start leaves
   * this to `patchbay toolkits lint`.
   */
  lint?: boolean
  /** Default true. False leaves out generated tools. */
  operations?: boolean
}

/** Reads and checks every toolkit below a folder. @throws ManifestError with the diagnostics of all files */
export async function loadCatalog({
  folder,
  lint = false,
  operations = true,
}: LoadOptions): Promise<Catalog> {
  const diagnostics: Diagnostic[] = []
  const read = readToolkits(folder, diagnostics)
  const sources = operations ? read : read.map((source) => ({ ...source, operations: undefined }))
  if (lint) await lintSources(sources, diagnostics)
  return compileSources(sources, diagnostics)
}

/**
 * Loads the toolkit of one folder, whatever is next to it. @throws ManifestError with the diagnostics of its
 * files
 */
export async function loadToolkit(
  folder: string,
  { operations = true }: Pick<LoadOptions, 'operations'> = {},
): Promise<Catalog> {
  const diagnostics: Diagnostic[] = []
  const path = await realpath(folder)
  const source = readToolkit(dirname(path), basename(path), diagnostics)
  if (!source || diagnostics.length > 0) throw new ManifestError(diagnostics)
  return catalogFromSources([operations ? source : { ...source, operations: undefined }])
}

/** Returns the catalogue of toolkits that are in memory, by the same rules. @throws ManifestError */
export function catalogFromSources(sources: readonly ToolkitSource[]): Catalog {
  return compileSources(sources, [])
}

function compileSources(sources: readonly ToolkitSource[], diagnostics: Diagnostic[]): Catalog {
  const toolkits: ToolkitReleases[] = []
  const owners: SlugOwners = { tool: new Map(), trigger: new Map() }
  for (const source of sources) {
    const compiled = compileSource(source, diagnostics)
    if (!compiled) continue
    claimSlugs(source.slug, compiled.newest, owners, diagnostics)
    toolkits.push(
      source.operations ? withOperations(compiled.releases, source.operations) : compiled.releases,
    )
  }
  if (diagnostics.length > 0) throw new ManifestError(withoutDuplicates(diagnostics))
  return createCatalog(toolkits)
}

/** Slug or alias to the toolkit that has it. */
type SlugOwners = Readonly<Record<'tool' | 'trigger', Map<string, string>>>

/** A slug belongs to one toolkit. */
function claimSlugs(
  toolkit: string,
  { tools, triggers }: CompiledToolkit,
  owners: SlugOwners,
  diagnostics: Diagnostic[],
): void {
  for (const [kind, list] of [
    ['tool', tools],
    ['trigger', triggers],
  ] as const) {
    for (const slug of list.flatMap((entry) => [entry.slug, ...entry.aliases])) {
      const owner = owners[kind].get(slug)
      if (owner !== undefined && owner !== toolkit)
        diagnostics.push({
          file: `${toolkit}/${kind}s.json`,
          path: '',
          reason: `\`${slug}\` is also a ${kind} of \`${owner}\`. Give it a slug of its own.`,
        })
      owners[kind].set(slug, toolkit)
    }
  }
}

/** Runs the checks that are too slow for a start: Ajv compiles every schema, tools.ts files are imported. */
async function lintSources(sources: readonly ToolkitSource[], diagnostics: Diagnostic[]): Promise<void> {
  const { lintFiles } = await import('../lint/lint-files.ts')
  for (const source of sources) {
    const icon = reporterFor(`${source.slug}/icon.svg`, diagnostics)
    if (source.icon === undefined) icon.add('', 'is missing.')
    else checkIcon(source.icon, icon)
    for (const version of [
      { ...source, at: source.slug },
      ...(source.versions ?? []).map((one) => ({ ...one, at: `${source.slug}/versions/${one.version}` })),
    ]) {
      await lintFiles(
        version,
        (name) =>
          name === 'tools.json'
            ? toolsReporter(version, version.at, diagnostics)
            : reporterFor(`${version.at}/${name}`, diagnostics),
        version.at !== source.slug && version.code === source.code,
      )
    }
  }
}

/** A template of the toolkit is checked once for each scheme. */
function withoutDuplicates(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.file}\n${one.path}\n${one.reason}`, one])).values()]
}
