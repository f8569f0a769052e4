import type { McpUrlElicitation } from '../../../platform/mcp/server/context.ts'
import type { ResolvedSessionConfig } from '../config/session-config.ts'
import type { SessionScope } from '../scope/scope.ts'

/** A tool of the session itself, which works on what the session shows. */
export interface MetaTool {
  /** `SERVICE_…`; the wire spells it. */
  readonly slug: string
  readonly name: string
  readonly tags: readonly string[]
  /** For models; a plain object schema. */
  description(config: ResolvedSessionConfig): string
  input(config: ResolvedSessionConfig): Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
  /**
   * Arguments are as the caller sent them: what does not fit is an error in the answer, so that a model can
   * correct itself.
   */
  run(scope: SessionScope, args: Record<string, unknown>, call: MetaToolCall): Promise<MetaToolOutcome>
}

/** `logId`: of this call, the parent of those that it makes. `custom`: tools of the caller's process, for search. */
export interface MetaToolCall {
  readonly signal: AbortSignal
  readonly logId: string
  readonly custom?: readonly CustomTool[] | undefined
}
/** `visit`: nothing was done but to find out that the user has to visit a page first. */
export interface MetaToolOutcome {
  readonly data: Record<string, unknown>
  readonly error: string | null
  readonly visit?: McpUrlElicitation | undefined
}

/**
 * A tool that runs in the caller's process. `slug`: as calls name it, `LOCAL_…`; `toolkit`: the one it
 * extends or belongs to.
 */
export interface CustomTool {
  readonly slug: string
  readonly original_slug: string
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly toolkit?: string | undefined
  readonly extends_toolkit?: string | undefined
}

export type MetaTools = ReadonlyMap<string, MetaTool>

/** In the order of lists: which configuration offers a tool, and whether lists have it. */
const AVAILABILITY: readonly [
  slug: string,
  offered: (config: ResolvedSessionConfig) => boolean,
  isListed: boolean,
][] = [
  ['SERVICE_SEARCH_TOOLS', ({ search }) => search.enable, true],
  ['SERVICE_GET_TOOL_SCHEMAS', ({ search }) => search.enable, true],
  ['SERVICE_MULTI_EXECUTE_TOOL', ({ execute }) => execute.enable_multi_execute, true],
  ['SERVICE_MANAGE_CONNECTIONS', ({ manage_connections: { enable } }) => enable, true],
  [
    'SERVICE_WAIT_FOR_CONNECTIONS',
    ({ manage_connections: { enable, enable_wait_for_connections: wait } }) => enable && wait,
    true,
  ],
  ['SERVICE_REMOTE_WORKBENCH', ({ workbench }) => workbench.enable, true],
  ['SERVICE_REMOTE_BASH_TOOL', ({ workbench }) => workbench.enable, true],
  ['SERVICE_UPSERT_RECIPE', () => true, false],
  ['SERVICE_GET_RECIPE', () => true, false],
]

/** Slugs of the meta tools there can be. */
export const META_TOOL_SLUGS: readonly string[] = AVAILABILITY.map(([slug]) => slug)

/** The meta tools that a session lists, in their order; those that this release does not have are left out. */
export const listedMetaTools = (tools: MetaTools, config: ResolvedSessionConfig): MetaTool[] =>
  AVAILABILITY.flatMap(([slug, isAvailable, isListed]) =>
    isListed && isAvailable(config) ? (tools.get(slug) ?? []) : [],
  )

/** A meta tool that the session offers, listed or not. */
export function availableMetaTool(
  tools: MetaTools,
  config: ResolvedSessionConfig,
  slug: string,
): MetaTool | undefined {
  const [, isAvailable] = AVAILABILITY.find(([name]) => name === slug) ?? []
  return isAvailable?.(config) ? tools.get(slug) : undefined
}
