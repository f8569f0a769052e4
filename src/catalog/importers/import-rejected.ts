/** Why a document, or one operation of it, cannot become tools. Fixed words, so that causes can be counted. */
export type Cause =
  | 'too_large'
  | 'too_slow'
  | 'not_readable'
  | 'not_openapi'
  | 'not_graphql'
  | 'not_postman'
  | 'not_mcp'
  | 'needs_sign_in'
  | 'no_operations'
  | 'no_address'
  | 'unknown_reference'
  | 'external_reference'
  | 'unsupported_method'
  | 'unsupported_auth'
  | 'unsupported_body'
  | 'bad_path'
  | 'unsafe_name'
  | 'manifest'

/** The reason is for the person who gave the document: what is wrong, and what would mend it. */
export class Refused extends Error {
  /** Not `cause`, which is another error. */
  readonly why: Cause
  /** Addresses of documents without which nothing more could be said. */
  missing: ReadonlySet<string> = new Set()

  constructor(why: Cause, reason: string) {
    super(reason)
    this.name = 'Refused'
    this.why = why
  }
}

/** Foreign words in a reason: short, on one line. */
export const quoted = (text: string, most = 120): string =>
  `\`${(text.length > most ? `${text.slice(0, most - 1)}…` : text).replace(/[\p{Cc}`]+/gu, ' ')}\``
