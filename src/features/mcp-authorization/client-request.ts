import { OAuthRequestError } from './oauth-error.ts'

/** What a client sent to an endpoint of the authorization server. */
export interface ClientRequest {
  /** Path of the endpoint below PUBLIC_URL. */
  path: string
  form: Readonly<Record<string, string>>
  authorization: string | undefined
  ip: string
}

/** A valid proof of possession that came with a request. */
export interface RequestProof {
  /** Thumbprint of its key. */
  thumbprint: string
  /** Uses it up. Call this when the client is authenticated. */
  use(): Promise<void>
}

const FIELDS_MAX = 100

/**
 * Reads the parameters of a client. One that repeats is an error, one without a value counts as omitted, and one that
 * is not known is ignored (RFC 6749 §3.1 and §3.2).
 * @throws OAuthRequestError
 */
export function readForm(fields: URLSearchParams): ClientRequest['form'] {
  if (fields.size > FIELDS_MAX)
    throw new OAuthRequestError('invalid_request', `Send at most ${FIELDS_MAX} parameters.`)
  const form: Record<string, string> = Object.create(null)
  const names = new Set<string>()
  for (const [name, value] of fields) {
    if (names.has(name))
      throw new OAuthRequestError('invalid_request', `${printable(name)} is given more than once.`)
    names.add(name)
    if (value !== '') form[name] = value
  }
  return form
}

/** A name from the request, with the characters that an error description may have (RFC 6749 §5.2). */
const printable = (name: string): string =>
  name.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 100)
