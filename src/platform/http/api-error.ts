import { ERRORS, type ErrorSlug } from '../../contract/errors/index.ts'
import { invalidRequestMessage } from './invalid-request-message.ts'

export interface ErrorBody {
  error: {
    message: string
    code: number
    slug: string
    status: number
    request_id: string
    suggested_fix: string
    errors: readonly string[]
  }
}

/** Whose key or session a rejected call used. */
export interface CallerIdentity {
  organizationId: string
  projectId?: string | undefined
  keyId: string
}

/** An error of the API. Callers receive `message` and `details`; `cause` is only logged. */
export class ApiError extends Error {
  readonly slug: ErrorSlug
  readonly details: readonly string[]
  /** The next step. Default: that of the slug. */
  readonly fix: string
  /** Sent with the response, for example `retry-after`. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The caller, if it was recognized and rejected, for the audit log. It is never part of a response. */
  caller?: CallerIdentity

  constructor(
    slug: ErrorSlug,
    message: string,
    options: {
      details?: readonly string[]
      fix?: string
      cause?: unknown
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.slug = slug
    this.details = options.details ?? []
    this.fix = options.fix ?? ERRORS[slug].fix
    this.headers = options.headers
  }

  get status(): number {
    return ERRORS[this.slug].status
  }

  toEnvelope(requestId: string): ErrorBody {
    const { code, status } = ERRORS[this.slug]
    return {
      error: {
        message: this.message,
        code,
        slug: this.slug,
        status,
        request_id: requestId,
        suggested_fix: this.fix,
        errors: this.details,
      },
    }
  }
}

/**
 * Creates the error for an invalid request. Each detail has the form `Error in <part>.<dotted path>:
 * <reason>`; the part is payload, query, params or headers. The message contains the first detail as a
 * sentence.
 */
export const badRequest = (...details: string[]): ApiError => invalidRequest(details)

/** Creates the error for an invalid request. `received` describes the value of the first invalid field. */
export function invalidRequest(details: readonly string[], received?: string): ApiError {
  return new ApiError('HTTP_BadRequest', invalidRequestMessage(details, received), { details })
}

/** Returns an error with all its details and its next step, as one text for a language model. */
export function describeApiError({ slug, message, details, fix }: ApiError): string {
  const text = /[.!?:]$/.test(message) ? message : `${message}.`
  const sentences =
    slug === 'HTTP_BadRequest' && details.length > 0
      ? details.map((detail) => invalidRequestMessage([detail]))
      : [text, ...details.filter((detail) => detail !== message)]
  return [...sentences, fix].join(' ')
}

const NOT_FOUND = {
  auth_config: { slug: 'Auth_Config_NotFound', text: (id: string) => `Auth config ${id} not found` },
  connected_account: {
    slug: 'ConnectedAccount_ResourceNotFound',
    text: (id: string) => `Connected account "${id}" not found`,
  },
} as const satisfies Record<string, { slug: ErrorSlug; text: (id: string) => string }>

/** Creates the error for an id that does not exist in the project of the caller. */
export function notFound(resource: keyof typeof NOT_FOUND, id: string): ApiError {
  const { slug, text } = NOT_FOUND[resource]
  return new ApiError(slug, text(id))
}
