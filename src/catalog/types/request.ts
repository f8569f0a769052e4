import type { BodyType, PathStyle, QueryStyle } from '../manifest/format/index.ts'
import type { PathReader, Template, ValueTemplate } from './template.ts'

export type { BodyType, PathStyle, QueryStyle }

interface NamedValue {
  readonly name: string
  readonly value: ValueTemplate
}

/** The request of a tool. `renderRequest` fills it. */
export interface CompiledRequest {
  readonly method: string
  readonly path: Template
  /** Names in the path that are arguments. Every other name is a value of the connection. */
  readonly pathArguments: ReadonlySet<string>
  readonly pathStyles: Readonly<Record<string, PathStyle>>
  readonly query: readonly (NamedValue & { readonly style: QueryStyle })[]
  readonly headers: readonly NamedValue[]
  readonly cookies: readonly NamedValue[]
  readonly body: ValueTemplate | undefined
  readonly bodyType: BodyType
  readonly bodyStyles: Readonly<Record<string, QueryStyle>> | undefined
  readonly partTypes: Readonly<Record<string, string>> | undefined
  readonly timeoutSeconds: number | undefined
  /** Arguments that become part of a text. The others are sent in the body as they are. */
  readonly textArguments: readonly string[]
}

/** The tool of a remote MCP server that a tool calls. */
export interface CompiledMcp {
  readonly tool: string
  /** Suffix of the header `Mcp-Param-…` and the path of its value in the arguments. */
  readonly headers: readonly { readonly name: string; readonly value: PathReader }[]
  readonly timeoutSeconds: number | undefined
}

/** A value of the query. Items are joined by a comma that is not percent-encoded. */
export type QueryValue = string | readonly string[]

/** A request with every placeholder filled. The engine adds the base URL and the credentials. */
export interface RenderedRequest {
  method: string
  /** Percent-encoded. Begins with `/`, or is an absolute URL. */
  path: string
  query: [name: string, value: QueryValue][]
  headers: Record<string, string>
  /** Undefined: the request has no body. */
  body: unknown
  bodyType: BodyType
  bodyStyles?: Readonly<Record<string, QueryStyle>> | undefined
  partTypes?: Readonly<Record<string, string>> | undefined
}

/** Where a request carries its idempotency key. One of `header`, `body` and `argument` is set. */
export interface IdempotencyKey {
  readonly header: string | undefined
  /** Path to a property of the body. */
  readonly body: readonly string[] | undefined
  readonly argument: string | undefined
  /** Methods of the requests that carry the key; undefined: all. */
  readonly methods: readonly string[] | undefined
  readonly format: 'uuid' | 'hex'
}
