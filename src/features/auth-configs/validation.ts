import { matchesPattern } from '../../platform/safe-pattern/index.ts'
import {
  type Catalog,
  findCompiledScheme,
  type CompiledScheme,
  type FieldManifest,
  mergeSchemeFields,
  type Toolkit,
} from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Secrets } from './masking.ts'

/** Finds a scheme of a toolkit. @throws ApiError 304 */
export function requireScheme(toolkit: Toolkit, name: string): CompiledScheme {
  const scheme = findCompiledScheme(toolkit, name)
  if (!scheme)
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${toolkit.name} does not support ${name.toUpperCase()}. Use one of: ` +
        `${toolkit.schemes.map(({ mode }) => mode).join(', ')}.`,
    )
  return scheme
}

/**
 * Checks that all required fields of a step are present and match their patterns.
 * @param touched checks only these fields, for a change that leaves the others as they are
 * @throws ApiError 305, 400
 */
export function validateFields(
  toolkit: Toolkit,
  scheme: CompiledScheme,
  step: Step,
  credentials: Secrets,
  part: string,
  touched?: ReadonlySet<string>,
): void {
  const faults = findFieldErrors(scheme, step, credentials, touched)
  const missing = faults.filter(({ problem: fault }) => fault === 'missing')
  if (missing.length) {
    const sentences = missing.map(
      ({ field }) =>
        `Missing required field "${field.display_name}" for auth scheme "${scheme.mode}" in toolkit "${toolkit.slug}"`,
    )
    throw new ApiError('Auth_Config_MissingRequiredField', sentences[0] as string, {
      details: missing.map(({ field }) => `Error in ${part}.${field.name}: is required`),
    })
  }
  if (faults.length) {
    throw badRequest(
      ...faults.map(
        ({ problem, field }) =>
          `Error in ${part}.${field.name}: ${field.display_name} must ${requirementOf(problem, field)}`,
      ),
    )
  }
}

function requirementOf(
  problem: string,
  { pattern, enum: allowed = [] }: { readonly pattern?: string; readonly enum?: readonly string[] },
): string {
  if (problem === 'type') return FIELD_TYPES
  return problem === 'pattern' ? `match ${pattern}` : `be one of ${allowed.join(', ')}`
}

const FIELD_TYPES = 'be text, a number, a boolean or a list of text'

/** Whether a request template can contain the value. */
const isFieldValue = (value: unknown): boolean =>
  typeof value !== 'object' || (Array.isArray(value) && value.every((one) => typeof one !== 'object'))

type Step = 'auth_config_creation' | 'connected_account_initiation'
export interface FieldError {
  field: FieldManifest
  problem: 'missing' | 'type' | 'pattern' | 'enum'
}

/** Returns the errors of the fields of a step, in the order of the fields. */
export function findFieldErrors(
  scheme: CompiledScheme,
  step: Step,
  credentials: Secrets,
  touched?: ReadonlySet<string>,
): FieldError[] {
  return mergeSchemeFields(scheme.manifest, step)
    .filter(({ name }) => !touched || touched.has(name))
    .flatMap((field): FieldError[] => {
      const value = credentials[field.name]
      if (isEmptyValue(value)) return (field.required ?? true) ? [{ field, problem: 'missing' }] : []
      if (!isFieldValue(value)) return [{ field, problem: 'type' }]
      if (field.pattern && !matchesPattern(field.pattern, String(value)))
        return [{ field, problem: 'pattern' }]
      return field.enum && !field.enum.includes(String(value)) ? [{ field, problem: 'enum' }] : []
    })
}

/**
 * Checks that some version of the toolkit has each tool: API v3 runs the first version. Returns the slugs in
 * upper case.
 * @throws ApiError 400
 */
export function validateTools(
  catalog: Catalog,
  toolkit: string,
  slugs: readonly string[],
  part: string,
): string[] {
  const known = (slug: string) =>
    catalog
      .availableVersions(toolkit)
      .some((version) => catalog.tool(slug, version)?.toolkit.slug === toolkit)
  const wrong = slugs.flatMap((slug, i) =>
    known(slug) ? [] : [`Error in ${part}.${i}: ${slug.slice(0, 64)} is not a tool of ${toolkit}`],
  )
  if (wrong.length) throw badRequest(...wrong)
  return [...new Set(slugs.map((slug) => slug.toUpperCase()))]
}

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
