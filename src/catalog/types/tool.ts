import type { CodeTool } from '../code-tool.ts'
import type { ToolManifest } from '../manifest/format/index.ts'
import type { CompiledMcp, CompiledRequest, IdempotencyKey } from './request.ts'
import type { CompiledPagination, Predicate, ToolResponse } from './response.ts'
import type { JsonSchema } from './template.ts'
import type { Toolkit } from './toolkit.ts'

export type ScopeRequirement = string | { readonly any_of: readonly string[] }

/** The properties of a tool that lists, filters and sorting read: few, because all entries are in memory. */
export interface ToolEntry {
  readonly slug: string
  readonly toolkit: string
  readonly name: string
  readonly humanDescription: string
  readonly effect: 'read' | 'create' | 'update' | 'delete'
  readonly important: boolean
  readonly deprecated: boolean
  /** Former slugs. */
  readonly aliases: readonly string[]
  /** Hint tags derived from the effect, `important`, then the tool's own tags. */
  readonly tags: readonly string[]
  readonly scopeRequirements: { readonly all_of: readonly ScopeRequirement[] } | null
  /** Every scope that is named, including alternatives. */
  readonly scopes: readonly string[]
}

/** One tool of one version of a toolkit, with everything that a call needs. Immutable. */
export interface Tool extends ToolEntry {
  readonly description: string
  readonly idempotent: boolean
  /** Set for a deprecated tool: its replacement and the reason. `gone`: it no longer runs. */
  readonly retirement:
    | { readonly replacedBy: string | undefined; readonly reason: string | undefined; readonly gone: boolean }
    | undefined
  readonly noAuth: boolean
  /** Name of the token that replaces `access_token` in the requests of this tool. */
  readonly useToken: string | undefined
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** Exactly one of `request`, `mcp` and `code` is set. */
  readonly request: CompiledRequest | undefined
  readonly mcp: CompiledMcp | undefined
  /** Imports the toolkit's tools.ts at the first use and returns the function of this tool. */
  readonly code: (() => Promise<CodeTool>) | undefined
  readonly response: ToolResponse
  /** The tool's own condition, else that of the toolkit. */
  readonly successWhen: Predicate | undefined
  readonly pagination: CompiledPagination | undefined
  readonly idempotencyKey: IdempotencyKey | undefined
  readonly limits: {
    readonly argumentsBytes: number | undefined
    readonly responseBytes: number | undefined
    readonly bucket: string | undefined
  }
  readonly manifest: ToolManifest
}

/**
 * A tool in a version. `version` is the one the caller sees: `00000000_00` stays, `latest` becomes the
 * release.
 */
export interface ResolvedTool {
  readonly tool: Tool
  readonly toolkit: Toolkit
  readonly version: string
}

/** How a tool is read. */
export interface ToolReading {
  /** Default true. False for a caller that reads many tools once: they would take the place of tools in use. */
  readonly remember?: boolean
}
