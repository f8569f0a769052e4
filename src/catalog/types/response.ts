import type { Lookup, PathReader } from './template.ts'

/** The parts of a response that conditions read. Header names are lower case. */
export interface ResponseView {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

export type Predicate = (response: ResponseView) => boolean

/** Reads the rate limits of an application from its responses. */
export interface RateLimit {
  /** What shares a limit. */
  readonly counts: 'account' | 'tool' | 'app'
  /** Maximum number of concurrent requests of one account. */
  readonly concurrency: number
  /** Returns how long to wait after a rate-limited response, in ms; undefined when it does not say. */
  waitAfter(response: ResponseView, now: number): number | undefined
  /**
   * Returns how long no call will succeed, in ms, when this response used up the limit. Undefined where the
   * manifest names no header with the remaining calls.
   */
  readonly waitWhenSpent: ((response: ResponseView, now: number) => number | undefined) | undefined
}

/** One page of a list. Header names are lower case. */
export interface ToolPage {
  readonly args: Readonly<Record<string, unknown>>
  readonly data: Readonly<Record<string, unknown>>
  readonly items: readonly unknown[]
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Finds the items of a page and the arguments of the next one. */
export interface CompiledPagination {
  readonly argument: string
  /**
   * Tool that reads further pages, called with the argument alone. Undefined: the same tool with its other
   * arguments.
   */
  readonly tool: string | undefined
  readonly itemsPath: string
  items(data: Readonly<Record<string, unknown>>): readonly unknown[]
  /** Returns the arguments that request the next page; undefined after the last one. */
  next(page: ToolPage): Readonly<Record<string, string | number>> | undefined
}

/** Turns the response of an application into `data`. */
export interface ToolResponse {
  readonly pick: PathReader | undefined
  readonly wrap: string | undefined
  /** Renames properties, and omits some when the call asks for it. */
  readonly tidy:
    | ((data: Record<string, unknown>, args: Readonly<Record<string, unknown>>) => Record<string, unknown>)
    | undefined
  /** Set where the response is a file or contains one. */
  readonly file:
    | {
        readonly member: string
        /** Finds the content in the picked response. Undefined: the whole response is the file. */
        readonly content: PathReader | undefined
        readonly encoding: 'base64' | 'base64url' | 'text'
        readonly name: ((args: Lookup) => string | undefined) | undefined
        readonly mimetype: ((args: Lookup) => string | undefined) | undefined
      }
    | undefined
}
