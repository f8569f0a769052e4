import type { CodeTool } from './code-tool.ts'
import type { AuthSchemeManifest } from './manifest/index.ts'
import type {
  Catalog, CompiledRequest, CompiledScheme, FoundTool, JsonSchema, Lookup, PathReader, Predicate, RenderedRequest, Template, Tool, Toolkit,
} from './records.ts'

export { type CodeTool, type CodeToolContext, ToolFailure } from './code-tool.ts'
export type * from './manifest/index.ts'
export type * from './records.ts'

// Signatures first; each `declare` gives way to its module.

export interface LoadOptions {
  /** Folder with one folder a toolkit. */
  folder: string
  /** Check everything, code tools included; a start trusts the tests for that. */
  lint?: boolean
}
/** Reads and checks every toolkit; throws one `ManifestError` with every mistake. */
export declare function loadCatalog(options: LoadOptions): Promise<Catalog>

/** A toolkit as its files hold it, for catalogues made in memory (imports, tests). */
export interface ToolkitSource {
  slug: string
  toolkit: unknown
  tools: unknown
  icon?: string
  code?: () => Promise<Readonly<Record<string, CodeTool>>>
  versions?: readonly { version: string, toolkit: unknown, tools: unknown, code?: () => Promise<Readonly<Record<string, CodeTool>>> }[]
}
export declare function catalogFrom(sources: readonly ToolkitSource[]): Catalog

export declare function compileTemplate(text: string): Template
/** Throws `MissingValue` for a required name that is not set. */
export declare function render(template: Template, lookup: Lookup): string
/** As `render`, but undefined when a `{name?}` place is not set. */
export declare function renderOptional(template: Template, lookup: Lookup): string | undefined
/** For base addresses and endpoints: values cannot leave the host or path position they stand in. */
export declare function renderAddress(template: Template, lookup: Lookup): string
/** Own keys only. */
export declare function lookupIn(values: Readonly<Record<string, unknown>>): Lookup
export declare function compilePath(path: string): PathReader
export declare function compileCondition(condition: unknown): Predicate
export declare function renderRequest(request: CompiledRequest, args: Readonly<Record<string, unknown>>, connection: Lookup): RenderedRequest

/** The manifest entry of a mode (any case), with the BEARER_TOKEN that every OAUTH2 toolkit accepts. */
export declare function schemeOf(toolkit: Toolkit, mode: string): AuthSchemeManifest | undefined
export declare function compiledSchemeOf(toolkit: Toolkit, mode: string): CompiledScheme | undefined
export interface FieldDescriptor {
  name: string
  displayName: string
  type: string
  description: string
  required: boolean
  default: string | null
  legacy_template_name?: string
  is_secret: boolean
}
export interface FieldGroup { required: readonly FieldDescriptor[], optional: readonly FieldDescriptor[] }
export declare function fieldsOf(scheme: AuthSchemeManifest): { auth_config_creation: FieldGroup, connected_account_initiation: FieldGroup }

export interface ToolViews {
  /** v3 flat maps. */
  readonly flatInput: JsonSchema
  readonly flatOutput: JsonSchema
  /** JSON Schema. */
  readonly input: JsonSchema
  readonly output: JsonSchema
}
export declare function toolViews(tool: Tool): ToolViews
export declare function flatParameters(schema: JsonSchema): JsonSchema
export declare function jsonSchemaView(schema: JsonSchema, title: string): JsonSchema

export interface ToolFilter {
  /** Overrides every other filter but the version. */
  slugs?: readonly string[] | undefined
  toolkits?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  important?: boolean | undefined
  /** Granted scopes: only tools that they suffice for. */
  scopes?: readonly string[] | undefined
  /** Default true. */
  includeDeprecated?: boolean | undefined
  /** Soft full text: ranks and narrows, is ignored when nothing matches. */
  query?: string | undefined
  /** Toolkit slug to the tools allowed there (`null`: all); toolkits not named are left out. */
  allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
  /** One version for all, or toolkit slug to version. */
  versions?: string | Readonly<Record<string, string>> | undefined
  /** For toolkits that `versions` does not name. */
  defaultVersion: string
}
export declare function selectTools(catalog: Catalog, filter: ToolFilter): readonly FoundTool[]

export interface ToolkitFilter {
  /** Id or name. */
  category?: string | undefined
  /** Only these slugs; the caller resolves `managed_by` to one. */
  within?: ReadonlySet<string> | undefined
  slugs?: readonly string[] | undefined
  search?: string | undefined
  /** Default `usage`: most tools first, then slug. */
  sortBy?: 'usage' | 'alphabetically' | undefined
  /** Default false. */
  includeDeprecated?: boolean | undefined
}
export declare function selectToolkits(catalog: Catalog, filter: ToolkitFilter): readonly Toolkit[]

export interface RankedTool { readonly tool: Tool, readonly score: number }
/** Tools of the newest releases that share words with the query, best first. */
export declare function rankTools(catalog: Catalog, query: string): readonly RankedTool[]
