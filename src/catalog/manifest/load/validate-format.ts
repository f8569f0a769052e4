import type { DiagnosticReporter } from '../diagnostics.ts'
import { type FormatError, toolkit, tools, triggers } from './format-validator.js'

export type ManifestFile = 'toolkit' | 'tools' | 'triggers'

const VALIDATORS = { toolkit, tools, triggers }

/** Reports every place where a file does not fit the manifest format. Returns whether it fits. */
export function validateFormat(file: ManifestFile, value: unknown, report: DiagnosticReporter): boolean {
  const validate = VALIDATORS[file]
  if (validate(value)) return true
  for (const [path, reason] of explainErrors(validate.errors ?? [])) report.add(path, reason)
  return false
}

/**
 * Explains errors. A union fails with the errors of all its branches: where the value has the type of a
 * branch, the errors of that branch explain it; otherwise one sentence lists what the union accepts.
 */
function explainErrors(errors: readonly FormatError[]): [path: string, reason: string][] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  const reasons: [string, string][] = []
  for (const error of errors) {
    const union = unions.find((path) => isAtOrBelow(error.instancePath, path))
    if (union === undefined) reasons.push([error.instancePath, reasonFor(error)])
    else if (error.keyword === 'anyOf' && error.instancePath === union)
      reasons.push(...explainUnion(union, errors))
  }
  return reasons
}

const isAtOrBelow = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}/`)
const isMismatch = ({ keyword }: FormatError): boolean => ['type', 'const', 'enum'].includes(keyword)

function explainUnion(union: string, errors: readonly FormatError[]): [path: string, reason: string][] {
  const branches = errors.filter(
    ({ instancePath, keyword }) => isAtOrBelow(instancePath, union) && keyword !== 'anyOf',
  )
  const inner = branches.filter((error) => !isMismatch(error) || error.instancePath !== union)
  if (inner.length > 0) return inner.map((error) => [error.instancePath, reasonFor(error)])
  const accepted = branches.flatMap(
    ({ params }) => params['type'] ?? params['allowedValue'] ?? params['allowedValues'],
  )
  return [[union, `must be ${[...new Set(accepted)].join(', ')}.`]]
}

const SCHEMES =
  'OAUTH2, DCR_OAUTH, S2S_OAUTH2, API_KEY, BEARER_TOKEN, BASIC, NO_AUTH, OAUTH1, BASIC_WITH_JWT, ' +
  'GOOGLE_SERVICE_ACCOUNT, SERVICE_ACCOUNT, BILLCOM_AUTH, CALCOM_AUTH, SAML'

const REASONS: Readonly<Record<string, (params: FormatError['params']) => string>> = {
  additionalProperties: ({ additionalProperty }) =>
    `unknown key \`${String(additionalProperty).slice(0, 60)}\`.`,
  required: ({ missingProperty }) => `\`${missingProperty}\` is missing.`,
  discriminator: ({ tag }) =>
    tag === 'scheme'
      ? `\`scheme\` must be one of ${SCHEMES}.`
      : `\`${tag}\` is missing or has an unknown value.`,
  enum: ({ allowedValues }) => `must be ${(allowedValues as unknown[]).join(', ')}.`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}.`,
  type: ({ type }) => `must be ${String(type)}.`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}.`,
  minLength: ({ limit }) => `must have at least ${count(limit, 'character')}.`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}.`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'item')}.`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item')}.`,
  minimum: ({ limit }) => `must be at least ${String(limit)}.`,
  maximum: ({ limit }) => `must be at most ${String(limit)}.`,
}

const count = (limit: unknown, noun: string): string => `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`

const reasonFor = ({ keyword, params }: FormatError): string =>
  REASONS[keyword]?.(params) ?? `breaks the rule \`${keyword}\` of the manifest format.`
