import type { CodeTool } from '../code-tool.ts'
import type { ResolvedTrigger } from './trigger.ts'
import type {
  AuthSchemeManifest,
  BodyType,
  ErrorMeaning,
  IdentityManifest,
  PathStyle,
  QueryStyle,
  ToolkitManifest,
  ToolManifest,
} from '../manifest/format/index.ts'

export type * from './trigger.ts'

/** A JSON Schema as the manifests hold it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Answers the value of a name, or undefined when nothing supplies it. */
export type Lookup = (name: string) => unknown

/** A template text compiled once; see `templates.ts`. */
export interface Template {
  readonly source: string
  /** Every name used, without duplicates. */
  readonly names: readonly string[]
  /** Names without which it cannot be rendered: no default and not marked `?`. */
  readonly required: readonly string[]
  readonly parts: readonly (string | Placeholder)[]
}

/** One `{…}` of a template: the first alternative that is set, through its filters. */
export interface Placeholder {
  readonly alternatives: readonly PlaceholderAlternative[]
  readonly filters: readonly ((text: string) => string)[]
  readonly optional: boolean
  /** `{+name}`: slashes survive in a path. */
  readonly keepSlashes: boolean
  /** Where it stands if the template is an address; decides how a value is encoded. */
  readonly position: 'start' | 'host' | 'path' | 'query'
}

export type PlaceholderAlternative = { readonly name: string } | { readonly text: string }

/** A JSON template compiled once: answers the value, or `ABSENT` when it is to be left out. */
export type ValueTemplate = (args: Lookup, connection: Lookup) => unknown

/** Reads a dotted path, own keys only; undefined when nothing is there. */
export type PathReader = (value: unknown) => unknown

/** What a condition looks at. Header names are lower case. */
export interface ResponseView {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

export type Predicate = (response: ResponseView) => boolean

export type { BodyType, PathStyle, QueryStyle }

/** The request of a tool, ready to be rendered with `renderRequest`. */
export interface CompiledRequest {
  readonly method: string
  readonly path: Template
  /** Names of the path that are arguments; every other name is looked up in the connection. */
  readonly pathArguments: ReadonlySet<string>
  readonly pathStyles: Readonly<Record<string, PathStyle>>
  readonly query: readonly {
    readonly name: string
    readonly value: ValueTemplate
    readonly style: QueryStyle
  }[]
  readonly headers: readonly { readonly name: string; readonly value: ValueTemplate }[]
  readonly cookies: readonly { readonly name: string; readonly value: ValueTemplate }[]
  readonly body: ValueTemplate | undefined
  readonly bodyType: BodyType
  readonly bodyStyles: Readonly<Record<string, QueryStyle>> | undefined
  readonly partTypes: Readonly<Record<string, string>> | undefined
  readonly timeoutSeconds: number | undefined
}

/** The tool of a remote MCP server that a tool calls. */
export interface CompiledMcp {
  readonly tool: string
  /** End of the header `Mcp-Param-…` and where its value stands in the arguments. */
  readonly headers: readonly { readonly name: string; readonly value: PathReader }[]
  readonly timeoutSeconds: number | undefined
}

/** A value of the query: its items are joined by a comma that is not percent-encoded. */
export type QueryValue = string | readonly string[]

/** A request whose every place is filled; the engine adds the base address and the credentials. */
export interface RenderedRequest {
  method: string
  /** Percent-encoded; begins with `/`, or is an absolute address. */
  path: string
  query: [name: string, value: QueryValue][]
  headers: Record<string, string>
  /** Undefined: the request has no body. */
  body: unknown
  bodyType: BodyType
  bodyStyles?: Readonly<Record<string, QueryStyle>> | undefined
  partTypes?: Readonly<Record<string, string>> | undefined
}

export type ScopeRequirement = string | { readonly any_of: readonly string[] }

/** Where the answers of a toolkit say how often they may be asked for. */
export interface RateLimit {
  /** Who shares a limit. */
  readonly counts: 'account' | 'tool' | 'app'
  /** Requests of one account that may be under way at once. */
  readonly concurrency: number
  /** How long to wait after this refusal, in ms; undefined when the answer does not tell. */
  waitAfter(response: ResponseView, now: number): number | undefined
  /** How long no call will be taken, in ms, when this answer used up the last one. Undefined where a manifest names no count. */
  readonly waitWhenSpent: ((response: ResponseView, now: number) => number | undefined) | undefined
}

/** Where a request carries the key by which the application knows it again. One of the places is there. */
export interface IdempotencyKey {
  readonly header: string | undefined
  /** Steps to a member of the body. */
  readonly body: readonly string[] | undefined
  readonly argument: string | undefined
  /** Methods of the requests that carry it; undefined: all. */
  readonly methods: readonly string[] | undefined
  readonly format: 'uuid' | 'hex'
}

/** One page as it was answered. Header names are lower case. */
export interface ToolPage {
  readonly args: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, unknown>>
  readonly items: readonly unknown[]
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** How a list goes on. */
export interface CompiledPagination {
  readonly argument: string
  /** The tool that reads further pages, called with the argument alone; undefined: the same tool, with its other arguments. */
  readonly tool: string | undefined
  readonly itemsPath: string
  items(data: Readonly<Record<string, unknown>>): readonly unknown[]
  /** The arguments that ask for the next page; undefined after the last one. */
  next(page: ToolPage): Readonly<Record<string, string | number>> | undefined
}

/** How a reply becomes `data`. */
export interface ToolResponse {
  readonly pick: PathReader | undefined
  readonly wrap: string | undefined
  /** Renames members, and leaves noise out when the call asks for it. */
  readonly tidy:
    | ((data: Record<string, unknown>, args: Readonly<Record<string, unknown>>) => Record<string, unknown>)
    | undefined
  /** The reply is a file or holds one: where its content stands in the picked reply (undefined: it is the whole one), and what it is called. */
  readonly file:
    | {
        readonly member: string
        readonly content: PathReader | undefined
        readonly encoding: 'base64' | 'base64url' | 'text'
        readonly name: ((args: Lookup) => string | undefined) | undefined
        readonly mimetype: ((args: Lookup) => string | undefined) | undefined
      }
    | undefined
}

/** What lists, filters and orders read of a tool: small, because all of them are in memory. */
export interface ToolEntry {
  readonly slug: string
  readonly toolkit: string
  readonly name: string
  readonly humanDescription: string
  readonly effect: 'read' | 'create' | 'update' | 'delete'
  readonly important: boolean
  readonly deprecated: boolean
  /** Slugs that it had before. */
  readonly aliases: readonly string[]
  /** Hint tags made from the effect, `important`, then the tool's own. */
  readonly tags: readonly string[]
  readonly scopeRequirements: { readonly all_of: readonly ScopeRequirement[] } | null
  /** Every scope named, alternatives included. */
  readonly scopes: readonly string[]
}

/** One tool of one version of a toolkit, whole. Immutable. */
export interface Tool extends ToolEntry {
  readonly description: string
  readonly idempotent: boolean
  /** What to use in place of a deprecated tool, and why; `gone`: it no longer runs. */
  readonly retirement:
    | { readonly replacedBy: string | undefined; readonly reason: string | undefined; readonly gone: boolean }
    | undefined
  readonly noAuth: boolean
  /** Name of the token that stands for `access_token` in its requests. */
  readonly useToken: string | undefined
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** Exactly one of `request`, `mcp` and `code` is there. */
  readonly request: CompiledRequest | undefined
  readonly mcp: CompiledMcp | undefined
  /** Imports the toolkit's tools.ts at first use and answers this tool of it. */
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

export interface Category {
  /** `developer-tools` */
  readonly id: string
  /** `developer tools` */
  readonly name: string
}

/** Where the credentials of one scheme go; defaults of the scheme are filled in. */
export interface CompiledScheme {
  readonly mode: string
  readonly manifest: AuthSchemeManifest
  /** True for the BEARER_TOKEN that comes with OAUTH2 without being listed. */
  readonly implicit: boolean
  /** Of the scheme, else of the toolkit. Render with `renderAddress`. */
  readonly baseUrl: Template | undefined
  readonly headers: readonly { readonly name: string; readonly value: Template }[]
  readonly query: readonly { readonly name: string; readonly value: Template }[]
  readonly body: readonly { readonly name: string; readonly value: Template }[]
  readonly basic: { readonly username: Template; readonly password: Template } | undefined
}

export type ToolkitOrigin = 'built_in' | 'instance' | 'project'

/** One version of a toolkit. Immutable. */
export interface Toolkit {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** The release that this record is, `YYYYMMDD_NN`; never `latest`, never `00000000_00`. */
  readonly version: string
  /** Newest first. */
  readonly releases: readonly { readonly version: string; readonly changes: string }[]
  readonly categories: readonly Category[]
  /** ISO 8601, from `created`. */
  readonly createdAt: string
  /** ISO 8601, the day of this release. */
  readonly updatedAt: string
  readonly appUrl: string | undefined
  readonly docsUrl: string | undefined
  /** The SVG text of its icon. */
  readonly icon: string
  readonly local: boolean
  readonly deprecated: boolean
  /** Works without any connection: every scheme is NO_AUTH. */
  readonly noAuth: boolean
  /** Who brought it: this program, the operator, or a project that alone sees it. */
  readonly origin: ToolkitOrigin
  readonly toolCount: number
  /** Trigger types that lists show. */
  readonly triggerCount: number
  /** Important ones first, then by slug. Toolkits that lie on disk read them at the first use: ask for `toolCount` where the number is enough. */
  readonly tools: readonly ToolEntry[]
  /** Every scheme it can be connected with, the implicit BEARER_TOKEN included. */
  readonly schemes: readonly CompiledScheme[]
  readonly baseUrl: Template | undefined
  readonly headers: readonly { readonly name: string; readonly value: Template }[]
  readonly timeoutSeconds: number | undefined
  /** The request that tells whose account it is. */
  readonly identity: IdentityManifest | undefined
  readonly successWhen: Predicate | undefined
  /** The first that finds a value has the text of an error. */
  readonly errorMessage: readonly PathReader[]
  /** The first that holds decides. */
  readonly errors: readonly { readonly when: Predicate; readonly meaning: ErrorMeaning }[]
  readonly rateLimit: RateLimit
  readonly manifest: ToolkitManifest
}

/** A tool as a version has it. `version` is what the caller sees: `00000000_00` stays so, `latest` becomes the release. */
export interface ResolvedTool {
  readonly tool: Tool
  readonly toolkit: Toolkit
  readonly version: string
}

/** A list in order, of which parts can be had without the whole being made. */
export interface Listing<T> extends Iterable<T> {
  readonly length: number
  slice(from: number, to: number): readonly T[]
}

/** The toolkits that somebody may see. Never changes: what is added makes another one. */
export interface Catalog {
  /** Newest release of each, by name. */
  readonly toolkits: readonly Toolkit[]
  /** Tools of the newest releases: important first, then by slug. */
  readonly tools: Listing<ToolEntry>
  readonly toolCount: number
  /** Those in use, by id. */
  readonly categories: readonly Category[]
  /** The two that this one is made of, if it is; a toolkit of the second hides that of the first. */
  readonly layers: readonly [lower: Catalog, upper: Catalog] | undefined
  /** A toolkit by slug (any case) and version (default `latest`). */
  toolkit(slug: string, version?: string): Toolkit | undefined
  /** A tool by slug, present or former (any case), as a version has it (`latest`, `00000000_00`, `YYYYMMDD_NN`). */
  tool(slug: string, version: string): ResolvedTool | undefined
  /** As `tool`, but only what lists read of it. */
  entry(slug: string, version: string): ToolEntry | undefined
  /** Of all toolkits that have this version, in the order of `tools`. */
  entries(version: string): Listing<ToolEntry>
  /** The toolkit of which any version has the tool. */
  ownerOf(slug: string): string | undefined
  /** The concrete name of a version: `latest` becomes the newest release, others stay; undefined when there is none. */
  resolveVersion(toolkit: string, version: string): string | undefined
  /** `00000000_00`, then the releases from oldest to newest; empty for an unknown toolkit. */
  availableVersions(toolkit: string): readonly string[]
  /** The tools of a version as they were written, one after the other; for what reads all of them once. */
  manifests(toolkit: string, version: string): Iterable<ToolManifest>
  /** A trigger type by slug, present or former (any case), as a version has it. */
  trigger(slug: string, version: string): ResolvedTrigger | undefined
  /** The trigger types of a toolkit in a version, by slug. */
  triggers(toolkit: string, version: string): readonly ResolvedTrigger[]
  /** A name for what a toolkit holds in a release, or in all of them. */
  digest(toolkit: string, version?: string): string
}
