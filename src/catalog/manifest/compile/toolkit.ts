import type { Category, Tool, Toolkit, Trigger } from '../../types/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../format/index.ts'
import { compileSchemes, compileTemplateOrReport, compileTemplates, schemeModes } from './auth/schemes.ts'
import { compileCondition, type ConditionManifest, compileManifestCondition } from './response/conditions.ts'
import { compileRateLimit } from './response/rate-limit.ts'
import { compilePath } from './template/paths.ts'
import type { CompileContext } from './template/values.ts'
import {
  type CodeLoader,
  compareImportantFirst,
  compileTool,
  needsNoAuth,
  toolkitContext,
  type UsedNames,
} from './tool.ts'
import { compileTrigger } from './triggers/trigger.ts'

/** The manifests of one version of a toolkit. They fit the manifest format. */
export interface ToolkitManifests {
  readonly toolkit: ToolkitManifest
  readonly tools: readonly ToolManifest[]
  readonly triggers: readonly TriggerManifest[]
  readonly version: string
  readonly icon: string
  readonly code: CodeLoader | undefined
  /** Names that requests of generated tools take from a connection. */
  readonly usedByOperations?: readonly string[] | undefined
}

export interface DiagnosticReporters {
  readonly toolkit: DiagnosticReporter
  readonly tools: DiagnosticReporter
  readonly triggers: DiagnosticReporter
}

/** Lists are in the order of their file. */
export interface CompiledToolkit {
  readonly toolkit: Toolkit
  readonly tools: readonly Tool[]
  readonly toolNames: readonly UsedNames[]
  readonly triggers: readonly Trigger[]
  readonly triggerNames: readonly CompileContext[]
}

/** A toolkit without its tools. */
export type ToolkitMetadata = Omit<Toolkit, 'tools' | 'toolCount' | 'triggerCount' | 'origin'>

/** Compiles the manifests to the records that the rest of the program reads. */
export function compileToolkit(manifests: ToolkitManifests, report: DiagnosticReporters): CompiledToolkit {
  const context = toolkitContext(manifests.toolkit, manifests.code)
  const tools = manifests.tools.map((tool, index) => compileTool(tool, index, context, report.tools))
  const triggers = manifests.triggers.map((trigger, index) =>
    compileTrigger(trigger, index, manifests.toolkit.slug, report.triggers),
  )
  const connectionNames = [
    ...[...tools, ...triggers].flatMap(({ use }) => [...use.usedConnection]),
    ...(manifests.usedByOperations ?? []),
  ]
  const toolkit: Toolkit = {
    ...compileMetadata(manifests, new Set(connectionNames), report.toolkit),
    origin: 'built_in',
    toolCount: tools.length,
    triggerCount: triggers.filter(({ trigger }) => !trigger.deprecated).length,
    tools: Object.freeze(tools.map(({ tool }) => tool).sort(compareImportantFirst)),
  }
  return {
    toolkit: Object.freeze(toolkit),
    tools: tools.map(({ tool }) => tool),
    toolNames: tools.map(({ use }) => use),
    triggers: triggers.map(({ trigger }) => trigger),
    triggerNames: triggers.map(({ use }) => use),
  }
}

/**
 * Compiles a toolkit without its tools. `usedByTools`: names that requests of tools take from a connection.
 */
export function compileMetadata(
  { toolkit: manifest, version, icon }: Pick<ToolkitManifests, 'toolkit' | 'version' | 'icon'>,
  usedByTools: ReadonlySet<string>,
  report: DiagnosticReporter,
): ToolkitMetadata {
  const headers = compileTemplates(manifest.request?.headers, '/request/headers', report).map(
    ({ name, value }) => ({ name: name.toLowerCase(), value }),
  )
  const usedNames = new Set([...headers.flatMap(({ value }) => value.names), ...usedByTools])
  return {
    ...compileSummary(manifest, version),
    icon,
    schemes: compileSchemes(manifest, usedNames, report),
    baseUrl:
      manifest.base_url === undefined
        ? undefined
        : compileTemplateOrReport(manifest.base_url, '/base_url', report),
    headers,
    timeoutSeconds: manifest.request?.timeout_seconds,
    identity: manifest.identity,
    successWhen: compileManifestCondition(manifest.success_when),
    errorMessage: (manifest.error_message ?? []).map(compilePath),
    errors: (manifest.errors ?? []).map(({ when, meaning }) => ({
      when: compileCondition(when as ConditionManifest),
      meaning,
    })),
    rateLimit: compileRateLimit(manifest.rate_limit),
    manifest,
  }
}

/** Compiles what lists of toolkits show. */
export const compileSummary = (manifest: ToolkitManifest, version: string) => ({
  slug: manifest.slug,
  name: manifest.name,
  description: manifest.description,
  version,
  releases: manifest.releases,
  categories: manifest.categories.map(categoryFromId),
  createdAt: `${manifest.created}T00:00:00.000Z`,
  updatedAt: releaseDate(version),
  appUrl: manifest.app_url,
  docsUrl: manifest.docs_url,
  local: manifest.local ?? false,
  deprecated: manifest.deprecated ?? false,
  noAuth: needsNoAuth(manifest),
  schemeModes: schemeModes(manifest),
})

/** Returns the day of a release, ISO 8601. */
export const releaseDate = (version: string): string =>
  `${version.replace(/^(\d{4})(\d{2})(\d{2})_.*$/, '$1-$2-$3')}T00:00:00.000Z`

export function categoryFromId(id: string): Category {
  return { id, name: id.replaceAll('-', ' ') }
}
