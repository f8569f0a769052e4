import type { TagLists, ToolLists } from '../../../catalog/index.ts'

type ToolkitFilter = { readonly enable: readonly string[] } | { readonly disable: readonly string[] }

/** `require_approval`: calls of tools with any of these tags wait for a person. */
export interface SessionTags extends TagLists {
  readonly require_approval?: readonly string[]
}
export interface SessionToolLists extends ToolLists {
  readonly tags?: SessionTags | undefined
}

/**
 * How a session was configured, in the spelling of requests: slugs of toolkits in lower case, of tools in
 * upper case. What is not there has its default.
 */
export interface SessionConfig {
  readonly toolkits?: ToolkitFilter
  /** By toolkit. */
  readonly auth_configs?: Readonly<Record<string, string>>
  /** By toolkit. */
  readonly connected_accounts?: Readonly<Record<string, readonly string[]>>
  readonly manage_connections?: {
    readonly enable?: boolean
    readonly callback_url?: string
    readonly enable_wait_for_connections?: boolean
    readonly enable_connection_removal?: boolean
  }
  /** By toolkit. */
  readonly tools?: Readonly<Record<string, SessionToolLists>>
  readonly tags?: SessionTags
  readonly workbench?: {
    readonly enable?: boolean
    readonly enable_proxy_execution?: boolean
    readonly auto_offload_threshold?: number
    readonly sandbox_size?: SandboxSize
  }
  readonly multi_account?: {
    readonly enable?: boolean
    readonly max_accounts_per_toolkit?: number
    readonly require_explicit_selection?: boolean
  }
  readonly preload?: { readonly tools: readonly string[] | 'all' }
  readonly search?: { readonly enable?: boolean }
  readonly execute?: { readonly enable_multi_execute?: boolean }
  readonly hooks?: readonly Readonly<Record<string, unknown>>[]
  readonly experimental?: {
    readonly assistive_prompt_config?: { readonly user_timezone?: string }
    readonly permissions?: {
      readonly default?: string
      readonly overrides?: Readonly<Record<string, string>>
    }
    readonly link_url_overwrite?: string
    readonly source_session_config?: { readonly id: string }
  }
}

export type SandboxSize = 'standard' | 'medium' | 'large' | 'xlarge'

/** The same with every switch decided. */
export interface ResolvedSessionConfig extends SessionConfig {
  readonly manage_connections: Required<
    Omit<NonNullable<SessionConfig['manage_connections']>, 'callback_url'>
  > & { readonly callback_url?: string }
  readonly workbench: Required<NonNullable<SessionConfig['workbench']>>
  readonly multi_account: Required<NonNullable<SessionConfig['multi_account']>>
  readonly preload: { readonly tools: readonly string[] | 'all' }
  readonly search: { readonly enable: boolean }
  readonly execute: { readonly enable_multi_execute: boolean }
}

/** The API's defaults (contract of the tool router, 1.2). */
export const CONFIG_DEFAULTS = {
  manage_connections: { enable: true, enable_wait_for_connections: false, enable_connection_removal: true },
  workbench: {
    enable: true,
    enable_proxy_execution: true,
    auto_offload_threshold: 20_000,
    sandbox_size: 'standard',
  },
  multi_account: { enable: false, max_accounts_per_toolkit: 5, require_explicit_selection: false },
  preload: { tools: [] },
  search: { enable: true },
  execute: { enable_multi_execute: true },
} as const satisfies SessionConfig

export const resolveConfig = (config: SessionConfig): ResolvedSessionConfig =>
  ({
    ...config,
    ...Object.fromEntries(
      Object.entries(CONFIG_DEFAULTS).map(([block, defaults]) => [
        block,
        { ...defaults, ...config[block as keyof typeof CONFIG_DEFAULTS] },
      ]),
    ),
  }) as ResolvedSessionConfig
