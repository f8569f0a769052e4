import {
  compileToolkit,
  type CompiledToolkit,
  type DiagnosticReporters,
  type ToolkitManifests,
} from '../compile/toolkit.ts'
import { mergeWebhook } from '../compile/triggers/webhook.ts'
import type { Diagnostic, DiagnosticReporter } from '../diagnostics.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../format/index.ts'
import { checkAuth } from '../lint/auth/auth.ts'
import { checkToolkit } from '../lint/toolkit.ts'
import { checkTools } from '../lint/tools.ts'
import { checkTriggers } from '../lint/triggers.ts'
import type { ToolkitSource, ToolkitVersionSource } from './read.ts'
import { locateTool } from './tool-files.ts'
import { unsafeJsonReason } from './unsafe-json.ts'
import { type ManifestFile, validateFormat } from './validate-format.ts'

/**
 * Validates and compiles one version of a toolkit. Returns undefined where a file does not fit the format.
 */
export function compileVersion(
  { slug, icon = '' }: ToolkitSource,
  source: ToolkitVersionSource,
  olderVersion: string | undefined,
  diagnostics: Diagnostic[],
): CompiledToolkit | undefined {
  const folder = olderVersion === undefined ? slug : `${slug}/versions/${olderVersion}`
  const report: DiagnosticReporters = {
    toolkit: reporterFor(`${folder}/toolkit.json`, diagnostics),
    tools: toolsReporter(source, folder, diagnostics),
    triggers: reporterFor(`${folder}/triggers.json`, diagnostics),
  }
  if (!hasValidFormat(source, report)) return undefined
  const toolkit = source.toolkit as ToolkitManifest
  const manifests: ToolkitManifests = {
    toolkit,
    tools: (source.tools as { tools: ToolManifest[] } | undefined)?.tools ?? [],
    triggers: mergeSharedWebhooks(source.triggers),
    version: olderVersion ?? toolkit.releases[0]!.version,
    icon,
    code: source.code,
    usedByOperations: source.operations?.summary.usedConnection,
  }
  checkToolkit(toolkit, slug, report.toolkit)
  const compiled = compileToolkit(manifests, report)
  const supplied = checkAuth(toolkit, report.toolkit)
  checkTools(manifests, compiled.toolNames, supplied, report.tools)
  checkTriggers(manifests, compiled.triggerNames, supplied, report.triggers)
  return compiled
}

function hasValidFormat(
  { toolkit, tools, triggers }: ToolkitVersionSource,
  report: DiagnosticReporters,
): boolean {
  const files: [ManifestFile, unknown][] = [['toolkit', toolkit]]
  if (tools !== undefined) files.push(['tools', tools])
  if (triggers !== undefined) files.push(['triggers', triggers])
  const valid = files.map(([name, value]) => {
    const reason = unsafeJsonReason(value)
    if (reason === undefined) return validateFormat(name, value, report[name])
    report[name].add('', reason)
    return false
  })
  return valid.every(Boolean)
}

/** Writes the webhook that a file declares for all its triggers into each of them. */
function mergeSharedWebhooks(file: unknown): readonly TriggerManifest[] {
  const { triggers = [], webhook: shared } = (file ?? {}) as {
    triggers?: TriggerManifest[]
    webhook?: TriggerManifest['webhook']
  }
  return triggers.map((trigger) =>
    trigger.webhook ? { ...trigger, webhook: mergeWebhook(shared, trigger.webhook) } : trigger,
  )
}

export const reporterFor = (file: string, diagnostics: Diagnostic[]): DiagnosticReporter => ({
  add: (path, reason) => void diagnostics.push({ file, path, reason }),
})

/** Reports problems of tools under the file of the tool. */
export const toolsReporter = (
  { toolFiles }: ToolkitVersionSource,
  folder: string,
  diagnostics: Diagnostic[],
): DiagnosticReporter => ({
  add: (path, reason) =>
    void diagnostics.push({ ...locateTool(toolFiles, path, `${folder}/tools.json`), reason }),
})
