import type { SinceFormat, TriggerManifest } from '../manifest/format/index.ts'
import type {
  CompiledRequest,
  JsonSchema,
  ToolPage,
  PathReader,
  Predicate,
  ScopeRequirement,
  Toolkit,
} from './index.ts'
import type { CompiledWebhook } from '../manifest/compile/triggers/webhook.ts'

/** Values that requests of a trigger are filled from, beside those of the connection: its configuration, and what the engine adds. */
export type TriggerArguments = Readonly<Record<string, unknown>>

/** How a list goes on within one poll. */
export interface PollPage {
  /** Arguments of the next page; undefined after the last one. */
  next(page: ToolPage): Readonly<Record<string, string | number>> | undefined
  /** Arguments that every page has for `next` to work with. */
  readonly constants: TriggerArguments
}

export interface PollDetail {
  readonly request: CompiledRequest
  /** The names of the request that stand in the item. */
  argumentsOf(item: unknown): TriggerArguments
  readonly pick: PathReader | undefined
  readonly goneWhen: Predicate | undefined
}

/** A polling trigger, ready to be asked. */
export interface CompiledPoll {
  readonly by: 'newest_first' | 'cursor' | 'since' | 'all'
  readonly request: CompiledRequest
  readonly successWhen: Predicate | undefined
  readonly useToken: string | undefined
  items(body: unknown): readonly unknown[]
  /** Undefined when the item lacks a part of it. */
  keyOf(item: unknown): string | undefined
  /** Milliseconds since the epoch; undefined when the item does not say. */
  timeOf(item: unknown): number | undefined
  readonly hasTime: boolean
  /** Whether the item makes an event. */
  makesEvent(item: unknown, config: TriggerArguments): boolean
  readonly page: PollPage | undefined
  readonly maxPages: number
  readonly newestFirst: boolean
  readonly cursor:
    | {
        readonly start: CompiledRequest
        readonly first: PathReader
        readonly next: PathReader
        readonly expired: Predicate | undefined
      }
    | undefined
  readonly since: { readonly overlapMs: number; write(ms: number): string | number } | undefined
  readonly detail: PollDetail | undefined
  /** Minutes. */
  readonly interval: { readonly default: number; readonly min: number; readonly max: number }
  readonly backFill: number
}

/** One trigger type of one version of a toolkit. Immutable. */
export interface Trigger {
  readonly slug: string
  readonly toolkit: string
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly deprecated: boolean
  readonly aliases: readonly string[]
  readonly scopeRequirements: { readonly all_of: readonly ScopeRequirement[] } | null
  /** With `interval` where it polls. */
  readonly config: JsonSchema
  readonly payload: JsonSchema
  /** Exactly one of the two is there. */
  readonly poll: CompiledPoll | undefined
  readonly webhook: CompiledWebhook | undefined
  /** The payload of an event, from what it is made of: `config`, `item`, `detail`, `body`, `headers`. Always an object. */
  payloadOf(source: Readonly<Record<string, unknown>>): Record<string, unknown>
  readonly manifest: TriggerManifest
}

/** A trigger type as a version has it; `version` as of a tool that was found. */
export interface ResolvedTrigger {
  readonly trigger: Trigger
  readonly toolkit: Toolkit
  readonly version: string
}

export type { SinceFormat }
