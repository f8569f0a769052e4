import type { CodeTool } from '../../code-tool.ts'
import { compileCondition, type ConditionManifest } from './response/conditions.ts'
import type { ToolkitManifest, ToolManifest, TriggerManifest } from '../format/index.ts'
import { compileIdempotencyKey } from './request/idempotency-key.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import { compilePath } from './template/paths.ts'
import type {
  Category,
  CompiledMcp,
  JsonSchema,
  Predicate,
  Tool,
  ToolEntry,
  Toolkit,
} from '../../types/index.ts'
import { compilePagination } from './response/pagination.ts'
import { compileRateLimit } from './response/rate-limit.ts'
import { compileRequest } from './request/request.ts'
import { compileResponse } from './response/response.ts'
import { compileTemplateOrReport, compileSchemes, compileTemplates } from './auth/schemes.ts'
import { isIdempotent, tagsOf } from './tags.ts'
import { compileTrigger } from './triggers/trigger.ts'
import type { Trigger } from '../../types/trigger.ts'
import type { CompileContext } from './template/values.ts'

export type CodeLoader = () => Promise<Readonly<Record<string, CodeTool>>>

/** One version of a toolkit as its files hold it; both files have passed their schema. */
export interface ToolkitManifests {
  readonly toolkit: ToolkitManifest
  readonly tools: readonly ToolManifest[]
  readonly triggers: readonly TriggerManifest[]
  readonly version: string
  readonly icon: string
  readonly code: CodeLoader | undefined
}

/** What the requests of a tool use, for the checks. */
export interface UsedNames {
  readonly args: ReadonlySet<string>
  readonly usedArgs: ReadonlySet<string>
  readonly usedConnection: ReadonlySet<string>
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

/** What a toolkit is without its tools. */
export type ToolkitMetadata = Omit<Toolkit, 'tools' | 'toolCount' | 'triggerCount' | 'origin'>
type MetadataSource = Pick<ToolkitManifests, 'toolkit' | 'version' | 'icon'>

/** Compiles a snapshot to the records that the rest of the program reads. */
export function compileToolkit(snapshot: ToolkitManifests, report: DiagnosticReporters): CompiledToolkit {
  const surroundings = toolkitContext(snapshot.toolkit, snapshot.code)
  const built = snapshot.tools.map((tool, index) => compileTool(tool, index, surroundings, report.tools))
  const triggers = snapshot.triggers.map((trigger, index) =>
    compileTrigger(trigger, index, snapshot.toolkit.slug, report.triggers),
  )
  const head = compileMetadata(
    snapshot,
    new Set([...built, ...triggers].flatMap(({ use }) => [...use.usedConnection])),
    report.toolkit,
  )
  const tools = built.map(({ tool }) => tool)
  const toolkit: Toolkit = {
    ...head,
    origin: 'built_in',
    toolCount: tools.length,
    triggerCount: triggers.filter(({ trigger }) => !trigger.deprecated).length,
    tools: Object.freeze(tools.toSorted(compareImportantFirst)),
  }
  return {
    toolkit: Object.freeze(toolkit),
    tools,
    toolNames: built.map(({ use }) => use),
    triggers: triggers.map(({ trigger }) => trigger),
    triggerNames: triggers.map(({ use }) => use),
  }
}

/** `ofTools`: names that requests of tools take from a connection. */
export function compileMetadata(
  { toolkit: manifest, version, icon }: MetadataSource,
  ofTools: ReadonlySet<string>,
  report: DiagnosticReporter,
): ToolkitMetadata {
  const baseUrl =
    manifest.base_url === undefined
      ? undefined
      : compileTemplateOrReport(manifest.base_url, '/base_url', report)
  const headers = compileTemplates(manifest.request?.headers, '/request/headers', report).map(
    ({ name, value }) => ({ name: name.toLowerCase(), value }),
  )
  const needed = new Set([...headers.flatMap(({ value }) => value.names), ...ofTools])
  return {
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
    icon,
    local: manifest.local ?? false,
    deprecated: manifest.deprecated ?? false,
    noAuth: needsNoAuth(manifest),
    schemes: compileSchemes(manifest, needed, report),
    baseUrl,
    headers,
    timeoutSeconds: manifest.request?.timeout_seconds,
    identity: manifest.identity,
    successWhen: manifest.success_when && compileUnknownCondition(manifest.success_when),
    errorMessage: (manifest.error_message ?? []).map(compilePath),
    errors: (manifest.errors ?? []).map(({ when, meaning }) => ({
      when: compileUnknownCondition(when),
      meaning,
    })),
    rateLimit: compileToolkitRateLimit(manifest, report),
    manifest,
  }
}

/** The day of a release, ISO 8601. */
export const releaseDate = (version: string): string =>
  `${version.replace(/^(\d{4})(\d{2})(\d{2})_.*$/, '$1-$2-$3')}T00:00:00.000Z`

/** Whether a toolkit works without any connection. */
export const needsNoAuth = (manifest: Pick<ToolkitManifest, 'auth'>): boolean =>
  manifest.auth.every(({ scheme }) => scheme === 'NO_AUTH')

/** What a tool takes from the toolkit around it. */
export interface ToolkitContext {
  readonly toolkit: Pick<ToolkitManifest, 'slug' | 'local' | 'idempotency'>
  readonly successWhen: Predicate | undefined
  readonly noAuth: boolean
  readonly code: CodeLoader | undefined
}

export const toolkitContext = (
  manifest: Pick<ToolkitManifest, 'slug' | 'local' | 'idempotency' | 'auth' | 'success_when'>,
  code?: CodeLoader,
): ToolkitContext => ({
  toolkit: manifest,
  successWhen: manifest.success_when && compileUnknownCondition(manifest.success_when),
  noAuth: needsNoAuth(manifest),
  code,
})

/** Compiles one tool. `index`: its place in the file, for the report. */
export function compileTool(
  manifest: ToolManifest,
  index: number,
  { toolkit, successWhen, noAuth, code }: ToolkitContext,
  report: DiagnosticReporter,
): { tool: Tool; use: UsedNames } {
  const use: CompileContext = {
    args: new Set(Object.keys(propertiesOf(manifest.input as JsonSchema))),
    usedArgs: new Set(),
    usedConnection: new Set(),
    report,
  }
  const scopes = manifest.scopes?.all_of ?? []
  const tool: Tool = {
    slug: manifest.slug,
    toolkit: toolkit.slug,
    name: manifest.name,
    description: describeTool(manifest),
    humanDescription: manifest.human_description ?? manifest.name,
    effect: manifest.effect,
    idempotent: isIdempotent(manifest),
    important: manifest.important ?? false,
    deprecated: Boolean(manifest.deprecated),
    retirement: compileDeprecation(manifest),
    aliases: manifest.aliases ?? NONE,
    noAuth: noAuth || (manifest.no_auth ?? false),
    useToken: manifest.use_token,
    tags: Object.freeze(tagsOf(manifest, toolkit.local ?? false)),
    scopeRequirements: scopes.length > 0 ? { all_of: scopes } : null,
    scopes: [...new Set(scopes.flatMap((scope) => (typeof scope === 'string' ? [scope] : scope.any_of)))],
    input: manifest.input as JsonSchema,
    output: manifest.output as JsonSchema,
    request:
      manifest.request && compileRequest(manifest.request, use, `/tools${pointerSegment(index)}/request`),
    mcp: manifest.mcp && compileMcp(manifest.mcp),
    code: manifest.run && code && loadCodeToolOnce(manifest.slug, code),
    response: compileResponse(manifest, use, `/tools${pointerSegment(index)}/response`),
    successWhen: manifest.success_when ? compileUnknownCondition(manifest.success_when) : successWhen,
    pagination: manifest.pagination && compilePagination(manifest.pagination),
    idempotencyKey: compileIdempotencyKey(manifest, toolkit),
    limits: {
      argumentsBytes: manifest.limits?.arguments_bytes,
      responseBytes: manifest.limits?.response_bytes,
      bucket: manifest.limits?.bucket,
    },
    manifest,
  }
  return { tool: Object.freeze(tool), use }
}

const NONE: readonly string[] = Object.freeze([])

/** A model reads descriptions and nothing else: what replaces a tool has to stand there. */
function describeTool({ description, deprecated }: ToolManifest): string {
  if (typeof deprecated !== 'object') return description
  return [
    description,
    `Deprecated${deprecated.reason ? `: ${deprecated.reason}` : '.'}`,
    deprecated.replaced_by && `Use ${deprecated.replaced_by} instead.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function compileDeprecation({ deprecated }: ToolManifest): Tool['retirement'] {
  return typeof deprecated === 'object'
    ? { replacedBy: deprecated.replaced_by, reason: deprecated.reason, gone: deprecated.gone ?? false }
    : undefined
}

function compileToolkitRateLimit(
  { rate_limit: limit }: ToolkitManifest,
  report: DiagnosticReporter,
): Toolkit['rateLimit'] {
  try {
    return compileRateLimit(limit)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    report.add('/rate_limit/wait', `holds no regular expression: ${error.message.slice(0, 200)}`)
    return compileRateLimit()
  }
}

const compileMcp = ({
  tool,
  headers = {},
  timeout_seconds,
}: NonNullable<ToolManifest['mcp']>): CompiledMcp => ({
  tool,
  headers: Object.entries(headers).map(([name, path]) => ({ name, value: compilePath(path) })),
  timeoutSeconds: timeout_seconds,
})

/** Kept after the first success only, so that a failed import is tried again. */
function loadCodeToolOnce(slug: string, load: CodeLoader): () => Promise<CodeTool> {
  let found: CodeTool | undefined
  return async () => {
    if (found) return found
    const tools = await load()
    const tool = Object.hasOwn(tools, slug) ? tools[slug] : undefined
    if (typeof tool !== 'function') throw new Error(`The tools record of tools.ts has no function ${slug}.`)
    return (found = tool)
  }
}

const compileUnknownCondition = (manifest: unknown): Predicate =>
  compileCondition(manifest as ConditionManifest)

/** The declared properties of an object schema, or none. */
export function propertiesOf(
  schema: Readonly<Record<string, unknown>>,
): Record<string, Record<string, unknown>> {
  const { properties } = schema
  return properties !== null && typeof properties === 'object' && !Array.isArray(properties)
    ? (properties as Record<string, Record<string, unknown>>)
    : {}
}

type ListOrderFields = Pick<ToolEntry, 'important' | 'slug'>

export function compareImportantFirst(a: ListOrderFields, b: ListOrderFields): number {
  return Number(b.important) - Number(a.important) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
}

export function categoryFromId(id: string): Category {
  return { id, name: id.replaceAll('-', ' ') }
}
