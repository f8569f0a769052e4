import type { AuthSchemeManifest, ToolManifest, ToolkitManifest } from '../manifest/format/index.ts'
import type { Cause } from './import-rejected.ts'

export interface ImportOptions {
  /** Slug of the toolkit; without it, one is made from the title. */
  readonly slug?: string | undefined
  /** Name of the toolkit, in place of the title. */
  readonly name?: string | undefined
  /** Where the document came from; relative servers and references continue it. */
  readonly address?: string | undefined
  /** Address of the API, in place of the document's servers. */
  readonly server?: string | undefined
  /** Tool slugs of the import before this one, by operation (`GET /users`): they stay. */
  readonly former?: ReadonlyMap<string, string> | undefined
  /** How to sign in, in place of what the document says or leaves open. */
  readonly auth?: readonly AuthSchemeManifest[] | undefined
  /**
   * Accepts faults of an OpenAPI document that leave its operations usable, and does not check the arguments of
   * JSON bodies against its schemas.
   */
  readonly lenient?: boolean | undefined
  /** What tools of other toolkits begin with (`SHOP_ORDERS_`), where that begins with this toolkit's slug. */
  readonly foreign?: readonly string[] | undefined
}

/** The result of one operation: its slug, or the cause why it is left out. */
export interface OperationOutcome {
  /** `GET /users/{id}` */
  readonly operation: string
  readonly slug?: string
  readonly cause?: Cause
  readonly reason?: string
}

/** Tools share parts of their schemas, so the result must not be mutated. */
export interface Imported {
  readonly toolkit: Omit<ToolkitManifest, 'created' | 'releases'>
  readonly tools: readonly ToolManifest[]
  /** Slug by operation, for the next import. */
  readonly origins: Readonly<Record<string, string>>
  readonly report: {
    readonly title: string
    /** The document's own version. */
    readonly version: string | undefined
    readonly operations: number
    readonly refused: readonly OperationOutcome[]
    readonly notes: readonly string[]
  }
}
