import type { CodeTool } from '../../code-tool.ts'
import type { CompiledMcp, JsonSchema, Predicate, Tool, ToolEntry } from '../../types/index.ts'
import { type DiagnosticReporter, pointerSegment } from '../diagnostics.ts'
import type { ToolkitManifest, ToolManifest } from '../format/index.ts'
import { propertiesOf } from '../json-schema.ts'
import { compileIdempotencyKey } from './request/idempotency-key.ts'
import { compileRequest } from './request/request.ts'
import { compileManifestCondition } from './response/conditions.ts'
import { compilePagination } from './response/pagination.ts'
import { compileResponse } from './response/response.ts'
import { isIdempotent, tagsOf } from './tags.ts'
import { compilePath } from './template/paths.ts'
import type { CompileContext } from './template/values.ts'

export type CodeLoader = () => Promise<Readonly<Record<string, CodeTool>>>

/** Names that the requests of a tool use, for the checks. */
export interface UsedNames {
  readonly args: ReadonlySet<string>
  readonly usedArgs: ReadonlySet<string>
  readonly usedConnection: ReadonlySet<string>
}

/** The parts of a toolkit that its tools are compiled with. */
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
  successWhen: compileManifestCondition(manifest.success_when),
  noAuth: needsNoAuth(manifest),
  code,
})

/** Whether a toolkit works without any connection. */
export const needsNoAuth = (manifest: Pick<ToolkitManifest, 'auth'>): boolean =>
  manifest.auth.every(({ scheme }) => scheme === 'NO_AUTH')

/** Compiles one tool. `index`: its index in the file, for the diagnostics. */
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
  const path = `/tools${pointerSegment(index)}`
  const tool: Tool = {
    ...compileEntry(manifest, toolkit),
    description: describeTool(manifest),
    idempotent: isIdempotent(manifest),
    retirement: compileDeprecation(manifest),
    noAuth: noAuth || (manifest.no_auth ?? false),
    useToken: manifest.use_token,
    input: manifest.input as JsonSchema,
    output: manifest.output as JsonSchema,
    request: manifest.request && compileRequest(manifest.request, use, `${path}/request`),
    mcp: manifest.mcp && compileMcp(manifest.mcp),
    code: manifest.run && code && loadCodeToolOnce(manifest.slug, code),
    response: compileResponse(manifest, use, `${path}/response`),
    successWhen: compileManifestCondition(manifest.success_when) ?? successWhen,
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

const NO_ALIASES: readonly string[] = Object.freeze([])

/** Compiles what lists show of a tool. */
export function compileEntry(manifest: ToolManifest, toolkit: ToolkitContext['toolkit']): ToolEntry {
  const scopes = manifest.scopes?.all_of ?? []
  return {
    slug: manifest.slug,
    toolkit: toolkit.slug,
    name: manifest.name,
    humanDescription: manifest.human_description ?? manifest.name,
    effect: manifest.effect,
    important: manifest.important ?? false,
    deprecated: Boolean(manifest.deprecated),
    aliases: manifest.aliases ?? NO_ALIASES,
    tags: Object.freeze(tagsOf(manifest, toolkit.local ?? false)),
    scopeRequirements: scopes.length > 0 ? { all_of: scopes } : null,
    scopes: [...new Set(scopes.flatMap((scope) => (typeof scope === 'string' ? [scope] : scope.any_of)))],
  }
}

/** Adds the replacement of a deprecated tool to its description: a model reads nothing else. */
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

const compileMcp = ({
  tool,
  headers = {},
  timeout_seconds,
}: NonNullable<ToolManifest['mcp']>): CompiledMcp => ({
  tool,
  headers: Object.entries(headers).map(([name, path]) => ({ name, value: compilePath(path) })),
  timeoutSeconds: timeout_seconds,
})

/** Remembers the function after the first success only, so that a failed import is tried again. */
function loadCodeToolOnce(slug: string, load: CodeLoader): () => Promise<CodeTool> {
  let loaded: CodeTool | undefined
  return async () => {
    if (loaded) return loaded
    const tools = await load()
    const tool = Object.hasOwn(tools, slug) ? tools[slug] : undefined
    if (typeof tool !== 'function') throw new Error(`The tools record of tools.ts has no function ${slug}.`)
    return (loaded = tool)
  }
}

/** Orders tools of lists: important ones first, then by slug. */
export function compareImportantFirst(
  a: Pick<ToolEntry, 'important' | 'slug'>,
  b: Pick<ToolEntry, 'important' | 'slug'>,
): number {
  return Number(b.important) - Number(a.important) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
}
