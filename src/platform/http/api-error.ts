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

/** An error of the API. Callers receive `message` and `details`; `cause` is only logged. */
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

/** Names of the parts of a request in messages. Details use the names of the wire. */
const PART_NAMES: Readonly<Record<string, string>> = {
  payload: 'request body',
  query: 'query',
  params: 'path',
  headers: 'headers',
}
const MESSAGE_MAX = 500

/**
 * Creates the error for an invalid request. Each detail has the form `Error in <part>.<dotted path>: <reason>`; the
 * part is payload, query, params or headers. The message contains the first detail as a sentence.
 */
export function badRequest(...details: string[]): ApiError {
  const [first, ...others] = details
  const more = others.length > 0 ? ` (${others.length} more in errors)` : ''
  const message = first === undefined ? 'The request is not valid.' : sentenceOf(first, more)
  return new ApiError('HTTP_BadRequest', message, { details })
}

/** Returns a detail as a sentence: `Invalid request body: toolkit.slug is required.` */
function sentenceOf(detail: string, more = ''): string {
  const [, part = '', path = '', reason = detail] =
    /^Error in (payload|query|params|headers)\.?(.*?): (.*)$/s.exec(detail) ?? []
  const subject = PART_NAMES[part]
  const text = (/[.!?]$/.test(reason) ? reason.slice(0, -1) : reason).slice(0, MESSAGE_MAX)
  if (subject === undefined) return `${text}${more}.`
  const isPredicate = /^(is|are|must|may|cannot|differs|belongs|contains|has|needs) /.test(text)
  if (path === '')
    return isPredicate ? `The ${subject} ${text}${more}.` : `Invalid ${subject}: ${text}${more}.`
  return `Invalid ${subject}: ${path.slice(0, MESSAGE_MAX)}${isPredicate ? '' : ':'} ${text}${more}.`
}

/** Returns an error with all its details and its next step, as one text for a language model. */
export function describeApiError({ slug, message, details }: ApiError): string {
  const text = /[.!?:]$/.test(message) ? message : `${message}.`
  const sentences =
    slug === 'HTTP_BadRequest' && details.length > 0
      ? details.map((detail) => sentenceOf(detail))
      : [text, ...details.filter((detail) => detail !== message)]
  return [...sentences, ERRORS[slug].fix].join(' ')
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
