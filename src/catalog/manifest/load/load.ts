import { type Built, buildToolkit, type Reporters, type Snapshot } from '../compile/toolkit.ts'
import { createCatalog, type Holding, inMemory } from '../../query/catalog.ts'
import { manifestChecks, type ManifestChecks } from './validate-format.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../format/index.ts'
import { type Mistake, ManifestError, type Reporter } from '../diagnostics.ts'
import { readToolkits, refusal, type SourceVersion, type ToolkitSource } from './read.ts'
import type { Catalog, Toolkit } from '../../types/index.ts'
import { checkAuth } from '../lint/auth/auth.ts'
import { checkIcon, checkToolkit } from '../lint/toolkit.ts'
import { checkTools } from '../lint/tools.ts'
import { checkTriggers } from '../lint/triggers.ts'
import { mergedWebhook } from '../compile/triggers/webhook.ts'

export interface LoadOptions {
  /** Folder with one folder a toolkit. */
  folder: string
  /** Check everything: argument schemas compiled, code tools imported, icons. A start leaves that to the tests. */
  lint?: boolean
}

/** Reads and checks every toolkit below a folder; throws one `ManifestError` with every mistake of every file. */
export async function loadCatalog({ folder, lint = false }: LoadOptions): Promise<Catalog> {
  const mistakes: Mistake[] = []
  const sources = await readToolkits(folder, mistakes)
  if (lint) await lintSources(sources, mistakes)
  return assemble(sources, mistakes, manifestChecks(lint))
}

/** The catalogue of toolkits that are already in memory, by the same rules; throws `ManifestError`. */
export function catalogFrom(sources: readonly ToolkitSource[]): Catalog {
  return assemble(sources, [], manifestChecks(false))
}

function assemble(sources: readonly ToolkitSource[], mistakes: Mistake[], checks: ManifestChecks): Catalog {
  const held: Holding[] = []
  const owners = { tool: new Map<string, string>(), trigger: new Map<string, string>() }
  for (const source of sources) {
    const current = buildVersion(source, source, source.slug, undefined, checks, mistakes)
    const older = (source.versions ?? []).map((one) =>
      buildVersion(source, one, `${source.slug}/versions/${one.version}`, one.version, checks, mistakes),
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
    held.push(inMemory([current, ...known]))
  }
  if (mistakes.length > 0) throw new ManifestError(distinct(mistakes))
  return createCatalog(held)
}

function buildVersion(
  source: ToolkitSource,
  { toolkit, tools, triggers, code }: SourceVersion,
  at: string,
  version: string | undefined,
  checks: ManifestChecks,
  mistakes: Mistake[],
): Built | undefined {
  const report: Reporters = {
    toolkit: reporter(`${at}/toolkit.json`, mistakes),
    tools: reporter(`${at}/tools.json`, mistakes),
    triggers: reporter(`${at}/triggers.json`, mistakes),
  }
  const files = [
    ['toolkit', toolkit],
    ['tools', tools],
    ...(triggers === undefined ? [] : [['triggers', triggers] as const]),
  ] as const
  const fit = files.map(([name, value]) => {
    const reason = refusal(value)
    if (reason !== undefined) report[name].add('', reason)
    return reason === undefined && checks[name](value, report[name])
  })
  if (!fit.every(Boolean)) return undefined
  const manifest = toolkit as ToolkitManifest
  const snapshot: Snapshot = {
    toolkit: manifest,
    tools: (tools as { tools: ToolManifest[] }).tools,
    triggers: triggersOf(triggers),
    version: version ?? manifest.releases[0]!.version,
    icon: source.icon ?? '',
    code,
  }
  checkToolkit(manifest, source.slug, report.toolkit)
  const built = buildToolkit(snapshot, report)
  const supplied = checkAuth(manifest, report.toolkit)
  checkTools(snapshot, built.uses, supplied, report.tools)
  checkTriggers(snapshot, built.triggerUses, supplied, report.triggers)
  return built
}

/** What the file says for all webhooks stands in each. */
function triggersOf(file: unknown): readonly TriggerManifest[] {
  const { triggers = [], webhook: shared } = (file ?? {}) as {
    triggers?: TriggerManifest[]
    webhook?: TriggerManifest['webhook']
  }
  return triggers.map((trigger) =>
    trigger.webhook ? { ...trigger, webhook: mergedWebhook(shared, trigger.webhook) } : trigger,
  )
}

/** The first release is kept for ever, since it is also served as `00000000_00`; those in between may be gone. */
function checkVersions(current: Toolkit, older: readonly Toolkit[], mistakes: Mistake[]): void {
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
async function lintSources(sources: readonly ToolkitSource[], mistakes: Mistake[]): Promise<void> {
  const { lintTools } = await import('../lint/lint-files.ts')
  for (const source of sources) {
    const icon = reporter(`${source.slug}/icon.svg`, mistakes)
    if (source.icon === undefined) icon.add('', 'is missing.')
    else checkIcon(source.icon, icon)
    for (const version of [
      { ...source, at: source.slug },
      ...(source.versions ?? []).map((one) => ({ ...one, at: `${source.slug}/versions/${one.version}` })),
    ]) {
      await lintTools(version, (name) => reporter(`${version.at}/${name}`, mistakes))
    }
  }
}

const reporter = (file: string, mistakes: Mistake[]): Reporter => ({
  add: (path, reason) => void mistakes.push({ file, path, reason }),
})

/** A text of the toolkit is checked once for each scheme. */
function distinct(mistakes: readonly Mistake[]): Mistake[] {
  return [...new Map(mistakes.map((one) => [`${one.file}\n${one.path}\n${one.reason}`, one])).values()]
}
