import type { ConditionManifest } from '../manifest/compile/response/conditions.ts'
import type { LocatedValue, References } from './openapi/references.ts'
import type { ImportRejected } from './import-rejected.ts'

/**
 * What an API document says, the same for OpenAPI 3.0, 3.1 and Swagger 2. Schemas stay as they were written,
 * with their place.
 */
export interface ApiModel {
  readonly title: string
  readonly description: string | undefined
  readonly version: string | undefined
  readonly documentation: string | undefined
  readonly contact: string | undefined
  readonly logo: string | undefined
  readonly categories: readonly string[]
  /** The AWS service that signatures name. */
  readonly service: string | undefined
  readonly servers: readonly Server[]
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly operations: readonly Operation[]
  /** Operations that could not even be read. */
  readonly refused: readonly RejectedOperation[]
  readonly references: References
}

export interface RejectedOperation {
  readonly method: string
  readonly path: string
  readonly error: ImportRejected
}

export interface Server {
  readonly url: string
  readonly description: string | undefined
  readonly variables: ReadonlyMap<
    string,
    {
      readonly default: string | undefined
      readonly enum: readonly string[]
      readonly description: string | undefined
    }
  >
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly schema: LocatedValue
  /** As OpenAPI 3 calls them, with the defaults of the place filled in; `tab` is Swagger's tsv. */
  readonly style: string
  readonly explode: boolean
  /** The value is written as JSON. */
  readonly json: boolean
  readonly example: unknown
}

export interface Body {
  readonly mediaType: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: LocatedValue
  /** How members of forms are written. */
  readonly encoding: ReadonlyMap<
    string,
    {
      readonly style: string | undefined
      readonly explode: boolean | undefined
      readonly contentType: string | undefined
    }
  >
}

export interface Operation {
  /** Lower case. */
  readonly method: string
  readonly path: string
  /** Where method and path do not tell it from others. */
  readonly identity?: string
  readonly id: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly documentation: string | undefined
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** Of this operation or its path only. */
  readonly servers: readonly Server[]
  /** One of these suffices, each all of its schemes with scopes. Undefined: the document says nothing. */
  readonly security: readonly Alternative[] | undefined
  /** JSON of a success. */
  readonly result: LocatedValue | undefined
  /** Set if a success has a `Link` header; `pages` if the document says that it leads to further pages. */
  readonly linkHeader?: 'declared' | 'pages' | undefined
  /** Where the status does not tell a success. */
  readonly success?: ConditionManifest
}

export type Alternative = ReadonlyMap<string, readonly string[]>

export interface Flow {
  readonly authorizationUrl: string | undefined
  readonly tokenUrl: string | undefined
  readonly refreshUrl: string | undefined
  readonly scopes: readonly string[]
}

export type SecurityScheme = { readonly description: string | undefined } & (
  | {
      readonly kind: 'oauth2'
      readonly code: Flow | undefined
      readonly client: Flow | undefined
      readonly password: Flow | undefined
    }
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer'; readonly word: string }
  | {
      readonly kind: 'key'
      readonly in: 'header' | 'query' | 'cookie'
      readonly name: string
      readonly aws: boolean
    }
  | { readonly kind: 'unsupported'; readonly word: string }
)
