import type {
  AuthSchemeManifest,
  ErrorMeaning,
  IdentityManifest,
  ToolkitManifest,
} from '../manifest/format/index.ts'
import type { Predicate, RateLimit } from './response.ts'
import type { PathReader, Template } from './template.ts'
import type { ToolEntry } from './tool.ts'

export interface Category {
  /** `developer-tools` */
  readonly id: string
  /** `developer tools` */
  readonly name: string
}

export interface TemplateEntry {
  readonly name: string
  readonly value: Template
}

/** Where the credentials of one scheme are written in a request, with the defaults of the scheme. */
export interface CompiledScheme {
  readonly mode: string
  readonly manifest: AuthSchemeManifest
  /** True for the BEARER_TOKEN that every toolkit with OAUTH2 supports without listing it. */
  readonly implicit: boolean
  /** Base URL of the scheme, else of the toolkit. `renderUrl` fills it. */
  readonly baseUrl: Template | undefined
  readonly headers: readonly TemplateEntry[]
  readonly query: readonly TemplateEntry[]
  readonly body: readonly TemplateEntry[]
  readonly basic: { readonly username: Template; readonly password: Template } | undefined
}

export type ToolkitOrigin = 'built_in' | 'instance' | 'project'

/** One version of a toolkit. Immutable. */
export interface Toolkit {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** The release of this record, `YYYYMMDD_NN`; never `latest`, never `00000000_00`. */
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
  /** SVG text of the icon. */
  readonly icon: string
  readonly local: boolean
  readonly deprecated: boolean
  /** True where every scheme is NO_AUTH: works without any connection. */
  readonly noAuth: boolean
  /**
   * Source of the toolkit: shipped with the program, added by the administrator, or by the one project that
   * sees it.
   */
  readonly origin: ToolkitOrigin
  readonly toolCount: number
  /** Number of trigger types in lists: deprecated ones are left out. */
  readonly triggerCount: number
  /**
   * Important ones first, then by slug. Toolkits on disk read their tools at the first use; `toolCount` does
   * not read them.
   */
  readonly tools: readonly ToolEntry[]
  /** The modes of `schemes`, in their order. Toolkits on disk know them without reading their tools. */
  readonly schemeModes: readonly string[]
  /** Every scheme that it can be connected with, including the implicit BEARER_TOKEN. */
  readonly schemes: readonly CompiledScheme[]
  readonly baseUrl: Template | undefined
  readonly headers: readonly TemplateEntry[]
  readonly timeoutSeconds: number | undefined
  /** Request that returns the owner of an account. */
  readonly identity: IdentityManifest | undefined
  readonly successWhen: Predicate | undefined
  /** The first that finds a value returns the text of an error. */
  readonly errorMessage: readonly PathReader[]
  /** The first whose condition holds decides the meaning of an error. */
  readonly errors: readonly { readonly when: Predicate; readonly meaning: ErrorMeaning }[]
  readonly rateLimit: RateLimit
  readonly manifest: ToolkitManifest
}
