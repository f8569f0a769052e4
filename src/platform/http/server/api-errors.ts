import { DatabaseUnavailable } from '../../db/errors.ts'
import { ApiError, badRequest, invalidRequest } from '../api-error.ts'
import { didYouMean } from '../../nearest-name.ts'
import { AS_IS, type Spelling } from '../branding/rename-fields.ts'
import { describeReceived, type SchemaIssue } from '../invalid-request-message.ts'
import { describePattern } from './describe-pattern.ts'
import { pruneUnions } from './union-issues.ts'

const DETAILS_MAX = 50
/** Errors that are compared with each other; a body can have thousands. */
const ISSUES_MAX = 300
/** A field name that a caller invents may be as long as the body. */
const KEY_SHOWN_MAX = 100
/** Longest value that is compared with those of another brand. */
const RECEIVED_MAX = 100
const PARTS: Record<string, string> = {
  body: 'payload',
  querystring: 'query',
  params: 'params',
  headers: 'headers',
}

// Errors of the HTTP framework in our own words: its texts may change with a release.
const FRAMEWORK_ERRORS: Record<string, () => ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('HTTP_PayloadTooLarge', 'The body is larger than 6 MB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('HTTP_UnsupportedMediaType', 'The body must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    badRequest('Error in headers.content-length: differs from the size of the body'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => badRequest('Error in payload: is not valid JSON'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => badRequest('Error in payload: is empty'),
  FST_ERR_BAD_URL: () => badRequest('Error in params: the path is not properly percent-encoded'),
  FST_ERR_MAX_PARAM_LENGTH: () => badRequest('Error in params: a path part is too long'),
  FST_ERR_VALIDATION: () => badRequest(),
}

/** Converts any error to an ApiError. Unknown errors become an internal error without their text. */
export function toApiError(error: unknown, spelling: Spelling = AS_IS): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable)
    return new ApiError('HTTP_ServiceUnavailable', 'The database is not available at the moment.', {
      cause: error,
    })
  if (isValidation(error)) {
    const part = PARTS[error.validationContext ?? 'body'] ?? 'payload'
    const issues = pruneUnions(error.validation.slice(0, ISSUES_MAX)).slice(0, DETAILS_MAX)
    const all = issues.map((issue) => validationDetail(part, issue, spelling))
    // Both rules of a URL have one text.
    const details = all.filter((detail, index) => !detail.endsWith(NO_URL) || all.indexOf(detail) === index)
    return invalidRequest(details, issues[0] && describeReceived(issues[0]))
  }
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK_ERRORS, code))
    return (FRAMEWORK_ERRORS[code] as () => ApiError)()
  if (error instanceof SyntaxError && statusCode === 400)
    return badRequest('Error in payload: is not valid JSON')
  return new ApiError('HTTP_InternalServerError', 'Something went wrong on our side.', { cause: error })
}

/** `Error in payload.toolkit.slug: is required`, in the spelling of the wire. */
export function validationDetail(
  part: string,
  { instancePath, message, keyword, params = {}, parentSchema, data }: SchemaIssue,
  spelling: Spelling = AS_IS,
): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const at = (...more: unknown[]) =>
    'Error in ' +
    `${[part, ...[...path, ...more.map(String)].map((key) => spelling.key(key.slice(0, KEY_SHOWN_MAX)))].join('.')}`
  if (keyword === 'required') return `${at(params['missingProperty'])}: is required`
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const meant = didYouMean(
      name,
      Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {}),
    )
    return `${at(name)}: is not a known field${meant && `.${meant}`}`
  }
  if (keyword === 'discriminator' && params['error'] === 'mapping') {
    const tag = String(params['tag'])
    const values = tagValues(parentSchema, tag)
    return `${at(tag)}: ${oneOf(values, tag, params['tagValue'], spelling)}`
  }
  if (keyword === 'enum') {
    const values = params['allowedValues'] as unknown[]
    return `${at()}: ${oneOf(values, path.at(-1) ?? '', data, spelling)}`
  }
  return `${at()}: ${ruleInWords(keyword, params) ?? message ?? 'is not valid'}`
}

const NO_URL = 'must be an absolute URL that starts with http:// or https://'

function ruleInWords(keyword: string | undefined, params: Record<string, unknown>): string | undefined {
  if (isUrlRule(keyword, params)) return NO_URL
  if (keyword === 'pattern') return describePattern(String(params['pattern']))
  return keyword === 'format' && params['format'] === 'uuid' ? 'must be a UUID' : undefined
}

/** The rules of `Url` in the contract. */
const isUrlRule = (keyword: string | undefined, { pattern, format }: Record<string, unknown>): boolean =>
  (keyword === 'pattern' && pattern === '^https?://') || (keyword === 'format' && format === 'uri')

function oneOf(values: readonly unknown[], field: string, received: unknown, spelling: Spelling): string {
  const names = values.map((value) => spelling.value(String(value), field))
  return `must be one of ${names.join(', ')}${otherBrand(values, received, spelling)}`
}

/** Names the setting to a client whose values have another word in place of `service`, if the server has no brand. */
function otherBrand(values: readonly unknown[], received: unknown, spelling: Spelling): string {
  if (spelling !== AS_IS || typeof received !== 'string' || received.length > RECEIVED_MAX) return ''
  for (const value of values) {
    const [before = '', after = ''] = String(value).split(/service/i)
    const brand: string = received.slice(before.length, received.length - after.length)
    const isOther = before + after !== '' && received === `${before}${brand}${after}`
    if (isOther && /^[a-z0-9]{3,20}$/i.test(brand))
      return `. Clients with this spelling need a server with WIRE_BRAND=${brand.toLowerCase()}`
  }
  return ''
}

/** The values of the tag of a union, one for each variant. */
function tagValues(parentSchema: object | undefined, tag: string): unknown[] {
  const { oneOf = [] } = (parentSchema ?? {}) as {
    oneOf?: { properties?: Record<string, { const?: unknown; enum?: unknown[] }> }[]
  }
  return oneOf.flatMap(({ properties }) => properties?.[tag]?.enum ?? [properties?.[tag]?.const])
}

interface ValidationFailure {
  validation: SchemaIssue[]
  validationContext?: string
}

function isValidation(error: unknown): error is ValidationFailure {
  return (
    typeof error === 'object' &&
    error !== null &&
    Array.isArray((error as { validation?: unknown }).validation)
  )
}
