import type { McpVisit } from '../../../platform/mcp/server/serve.ts'
import type { SettledConfig } from '../config/session-config.ts'
import type { SessionScope } from '../scope/scope.ts'

/** A tool of the session itself, which works on what the session shows. */
export interface MetaTool {
  /** `SERVICE_…`; the wire spells it. */
  readonly slug: string
  readonly name: string
  readonly tags: readonly string[]
  /** For models; a plain object schema. */
  description(config: SettledConfig): string
  input(config: SettledConfig): Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
  /** Arguments are as the caller sent them: what does not fit is an error in the answer, so that a model can correct itself. */
  run(scope: SessionScope, args: Record<string, unknown>, call: MetaCall): Promise<MetaOutcome>
}

/** `logId`: of this call, the parent of those that it makes. `custom`: tools of the caller's process, for search. */
export interface MetaCall {
  readonly signal: AbortSignal
  readonly logId: string
  readonly custom?: readonly CustomTool[] | undefined
}
/** `visit`: nothing was done but to find out that the user has to visit a page first. */
export interface MetaOutcome {
  readonly data: Record<string, unknown>
  readonly error: string | null
  readonly visit?: McpVisit | undefined
}

/** A tool that runs in the caller's process. `slug`: as calls name it, `LOCAL_…`; `toolkit`: the one it extends or belongs to. */
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
const OFFERED: readonly [slug: string, offered: (config: SettledConfig) => boolean, isListed: boolean][] = [
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
export const META_SLUGS: readonly string[] = OFFERED.map(([slug]) => slug)

/** The meta tools that a session lists, in their order; those that this release does not have are left out. */
export const listedMetaTools = (tools: MetaTools, config: SettledConfig): MetaTool[] =>
  OFFERED.flatMap(([slug, offered, isListed]) => (isListed && offered(config) ? (tools.get(slug) ?? []) : []))

/** A meta tool that the session offers, listed or not. */
export function offeredMetaTool(tools: MetaTools, config: SettledConfig, slug: string): MetaTool | undefined {
  const [, offered] = OFFERED.find(([name]) => name === slug) ?? []
  return offered?.(config) ? tools.get(slug) : undefined
}
