/**
 * The cause why a document or one of its operations cannot become tools. Fixed values, so that causes can be
 * counted.
 */
export type Cause =
  | 'too_large'
  | 'too_slow'
  | 'not_readable'
  | 'not_openapi'
  | 'not_graphql'
  | 'not_postman'
  | 'not_mcp'
  | 'not_toolkit'
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

/** The reason is shown to the importing user: what is wrong, and how to fix it. */
export class ImportRejected extends Error {
  /** Not called `cause`, because `Error.cause` holds another error. */
  readonly why: Cause
  /** URLs of the missing documents that stopped the conversion. */
  missing: ReadonlySet<string> = new Set()

  constructor(why: Cause, reason: string) {
    super(reason)
    this.name = 'ImportRejected'
    this.why = why
  }
}

/** Quotes text of a document in a reason: shortened, on one line. */
export const quoted = (text: string, most = 120): string =>
  `\`${(text.length > most ? `${text.slice(0, most - 1)}…` : text).replace(/[\p{Cc}`]+/gu, ' ')}\``
