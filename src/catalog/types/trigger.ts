import type { SinceFormat, TriggerManifest } from '../manifest/format/index.ts'
import type { CompiledWebhook } from '../manifest/compile/triggers/webhook.ts'
import type { CompiledRequest } from './request.ts'
import type { Predicate, ToolPage } from './response.ts'
import type { JsonSchema, PathReader } from './template.ts'
import type { ScopeRequirement } from './tool.ts'
import type { Toolkit } from './toolkit.ts'

/**
 * Values for the requests of a trigger, next to those of the connection: its configuration, and what the
 * engine adds.
 */
export type TriggerArguments = Readonly<Record<string, unknown>>

/** Pagination within one poll. */
export interface PollPage {
  /** Returns the arguments of the next page; undefined after the last one. */
  next(page: ToolPage): Readonly<Record<string, string | number>> | undefined
  /** Arguments that every page needs for `next` to work. */
  readonly constants: TriggerArguments
}

export interface PollDetail {
  readonly request: CompiledRequest
  /** Reads the arguments of the request from the item. */
  argumentsOf(item: unknown): TriggerArguments
  readonly pick: PathReader | undefined
  readonly goneWhen: Predicate | undefined
}

/** A compiled polling trigger. */
export interface CompiledPoll {
  readonly by: 'newest_first' | 'cursor' | 'since' | 'all'
  readonly request: CompiledRequest
  readonly successWhen: Predicate | undefined
  readonly useToken: string | undefined
  items(body: unknown): readonly unknown[]
  /** Undefined when the item lacks a part of its key. */
  keyOf(item: unknown): string | undefined
  /** Milliseconds since the epoch; undefined when the item has no time. */
  timeOf(item: unknown): number | undefined
  readonly hasTime: boolean
  /** Whether the item passes the conditions of the manifest and the configuration. */
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
  /** With `interval` for a polling trigger. */
  readonly config: JsonSchema
  readonly payload: JsonSchema
  /** Exactly one of `poll` and `webhook` is set, except for a webhook that only starts a poll. */
  readonly poll: CompiledPoll | undefined
  readonly webhook: CompiledWebhook | undefined
  /**
   * Returns the payload of an event from `config`, `item`, `detail`, `body` and `headers`. Always an object.
   */
  payloadOf(source: Readonly<Record<string, unknown>>): Record<string, unknown>
  readonly manifest: TriggerManifest
}

/** A trigger type in a version; `version` as in `ResolvedTool`. */
export interface ResolvedTrigger {
  readonly trigger: Trigger
  readonly toolkit: Toolkit
  readonly version: string
}

export type { SinceFormat }
