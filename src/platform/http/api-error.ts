import { ERRORS, type ErrorSlug } from '../../contract/errors/index.ts'

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

/** The one error that reaches a caller. `message` is public; `cause` is only logged. */
export class ApiError extends Error {
  readonly slug: ErrorSlug
  readonly details: readonly string[]

  constructor(
    slug: ErrorSlug,
    message: string,
    options: { details?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.slug = slug
    this.details = options.details ?? []
  }

  get status(): number {
    return ERRORS[this.slug].status
  }

  toEnvelope(requestId: string): ErrorBody {
    const { code, status, fix } = ERRORS[this.slug]
    return {
      error: {
        message: this.message,
        code,
        slug: this.slug,
        status,
        request_id: requestId,
        suggested_fix: fix,
        errors: this.details,
      },
    }
  }
}

/** A request that does not fit; each detail reads `Error in <part>.<dotted path>: <reason>`, part being payload, query, params or headers. */
export const badRequest = (...details: string[]): ApiError =>
  new ApiError('HTTP_BadRequest', 'Validation error while processing request', { details })

const NOT_FOUND = {
  auth_config: { slug: 'Auth_Config_NotFound', text: (id: string) => `Auth config ${id} not found` },
  connected_account: {
    slug: 'ConnectedAccount_ResourceNotFound',
    text: (id: string) => `Connected account "${id}" not found`,
  },
} as const satisfies Record<string, { slug: ErrorSlug; text: (id: string) => string }>

/** The error for an id that does not exist in the project of the caller. */
export function notFound(resource: keyof typeof NOT_FOUND, id: string): ApiError {
  const { slug, text } = NOT_FOUND[resource]
  return new ApiError(slug, text(id))
}
