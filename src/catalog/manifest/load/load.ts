import {
  type CompiledToolkit,
  compileToolkit,
  type DiagnosticReporters,
  type ToolkitManifests,
} from '../compile/toolkit.ts'
import { createCatalog, type ToolkitReleases, releasesInMemory } from '../../query/catalog.ts'
import { validateFormat } from './validate-format.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../format/index.ts'
import { type Diagnostic, ManifestError, type DiagnosticReporter } from '../diagnostics.ts'
import { readToolkits, unsafeJsonReason, type ToolkitVersionSource, type ToolkitSource } from './read.ts'
import type { Catalog, Toolkit } from '../../types/index.ts'
import { checkAuth } from '../lint/auth/auth.ts'
import { checkIcon, checkToolkit } from '../lint/toolkit.ts'
import { checkTools } from '../lint/tools.ts'
import { checkTriggers } from '../lint/triggers.ts'
import { mergeWebhook } from '../compile/triggers/webhook.ts'

export interface LoadOptions {
  /** Folder with one folder a toolkit. */
  folder: string
  /** Check everything: argument schemas compiled, code tools imported, icons. A start leaves that to the tests. */
  lint?: boolean
}

/** Reads and checks every toolkit below a folder; throws one `ManifestError` with every mistake of every file. */
export async function loadCatalog({ folder, lint = false }: LoadOptions): Promise<Catalog> {
  const mistakes: Diagnostic[] = []
  const sources = await readToolkits(folder, mistakes)
  if (lint) await lintSources(sources, mistakes)
  return compileSources(sources, mistakes)
}

/** The catalogue of toolkits that are already in memory, by the same rules; throws `ManifestError`. */
export function catalogFromSources(sources: readonly ToolkitSource[]): Catalog {
  return compileSources(sources, [])
}

function compileSources(sources: readonly ToolkitSource[], mistakes: Diagnostic[]): Catalog {
  const held: ToolkitReleases[] = []
  const owners = { tool: new Map<string, string>(), trigger: new Map<string, string>() }
  for (const source of sources) {
    const current = compileVersion(source, source, source.slug, undefined, mistakes)
    const older = (source.versions ?? []).map((one) =>
      compileVersion(source, one, `${source.slug}/versions/${one.version}`, one.version, mistakes),
    )
    if (!current) continue
    const known = older
      .filter((one) => one !== undefined)
      .sort((a, b) => (a.toolkit.version < b.toolkit.version ? 1 : -1))
    checkVersions(
      current.toolkit,
      known.map(({ toolkit }) => toolkit),
      mistakes,
    )
    for (const [kind, list] of [
      ['tool', current.tools],
      ['trigger', current.triggers],
    ] as const) {
      for (const slug of list.flatMap((one) => [one.slug, ...one.aliases])) {
        const other = owners[kind].get(slug)
        if (other !== undefined && other !== source.slug)
          mistakes.push({
            file: `${source.slug}/${kind}s.json`,
            path: '',
            reason: `\`${slug}\` is also a ${kind} of \`${other}\`.`,
          })
        owners[kind].set(slug, source.slug)
      }
    }
    held.push(releasesInMemory([current, ...known]))
  }
  if (mistakes.length > 0) throw new ManifestError(withoutDuplicates(mistakes))
  return createCatalog(held)
}

function compileVersion(
  source: ToolkitSource,
  { toolkit, tools, triggers, code }: ToolkitVersionSource,
  at: string,
  version: string | undefined,
  mistakes: Diagnostic[],
): CompiledToolkit | undefined {
  const report: DiagnosticReporters = {
    toolkit: reporterFor(`${at}/toolkit.json`, mistakes),
    tools: reporterFor(`${at}/tools.json`, mistakes),
    triggers: reporterFor(`${at}/triggers.json`, mistakes),
  }
  const files = [
    ['toolkit', toolkit],
    ['tools', tools],
    ...(triggers === undefined ? [] : [['triggers', triggers] as const]),
  ] as const
  const fit = files.map(([name, value]) => {
    const reason = unsafeJsonReason(value)
    if (reason !== undefined) report[name].add('', reason)
    return reason === undefined && validateFormat(name, value, report[name])
  })
  if (!fit.every(Boolean)) return undefined
  const manifest = toolkit as ToolkitManifest
  const snapshot: ToolkitManifests = {
    toolkit: manifest,
    tools: (tools as { tools: ToolManifest[] }).tools,
    triggers: mergeSharedWebhooks(triggers),
    version: version ?? manifest.releases[0]!.version,
    icon: source.icon ?? '',
    code,
  }
  checkToolkit(manifest, source.slug, report.toolkit)
  const built = compileToolkit(snapshot, report)
  const supplied = checkAuth(manifest, report.toolkit)
  checkTools(snapshot, built.toolNames, supplied, report.tools)
  checkTriggers(snapshot, built.triggerNames, supplied, report.triggers)
  return built
}

/** What the file says for all webhooks stands in each. */
function mergeSharedWebhooks(file: unknown): readonly TriggerManifest[] {
  const { triggers = [], webhook: shared } = (file ?? {}) as {
    triggers?: TriggerManifest[]
    webhook?: TriggerManifest['webhook']
  }
  return triggers.map((trigger) =>
    trigger.webhook ? { ...trigger, webhook: mergeWebhook(shared, trigger.webhook) } : trigger,
  )
}

/** The first release is kept for ever, since it is also served as `00000000_00`; those in between may be gone. */
function checkVersions(current: Toolkit, older: readonly Toolkit[], mistakes: Diagnostic[]): void {
  const wrong = (path: string, reason: string) =>
    mistakes.push({ file: `${current.slug}/toolkit.json`, path, reason })
  const names = new Set(current.releases.map(({ version }) => version))
  const oldest = current.releases.at(-1)!.version
  if (oldest !== current.version && !older.some(({ version }) => version === oldest))
    wrong('/releases', `the files of the first release are missing: versions/${oldest}.`)
  for (const { version } of older) {
    if (version === current.version)
      wrong(
        '/releases',
        `versions/${version} is the newest release; its files are those of the folder itself.`,
      )
    else if (!names.has(version)) wrong('/releases', `versions/${version} is no release.`)
  }
}

/** What costs too much for a start: Ajv compiles every schema, tools.ts files are imported. */
async function lintSources(sources: readonly ToolkitSource[], mistakes: Diagnostic[]): Promise<void> {
  const { lintFiles: lintTools } = await import('../lint/lint-files.ts')
  for (const source of sources) {
    const icon = reporterFor(`${source.slug}/icon.svg`, mistakes)
    if (source.icon === undefined) icon.add('', 'is missing.')
    else checkIcon(source.icon, icon)
    for (const version of [
      { ...source, at: source.slug },
      ...(source.versions ?? []).map((one) => ({ ...one, at: `${source.slug}/versions/${one.version}` })),
    ]) {
      await lintTools(version, (name) => reporterFor(`${version.at}/${name}`, mistakes))
    }
  }
}

const reporterFor = (file: string, mistakes: Diagnostic[]): DiagnosticReporter => ({
  add: (path, reason) => void mistakes.push({ file, path, reason }),
})

/** A text of the toolkit is checked once for each scheme. */
function withoutDuplicates(mistakes: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(mistakes.map((one) => [`${one.file}\n${one.path}\n${one.reason}`, one])).values()]
}
