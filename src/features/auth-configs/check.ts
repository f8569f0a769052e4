import {
  type Catalog,
  compiledSchemeOf,
  type CompiledScheme,
  type FieldManifest,
  mergedFields,
  type Toolkit,
} from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Secrets } from './masking.ts'

/** The scheme a toolkit is to be used with. @throws 304 */
export function offeredScheme(toolkit: Toolkit, name: string): CompiledScheme {
  const scheme = compiledSchemeOf(toolkit, name)
  if (!scheme)
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${toolkit.name} does not offer ${name.toUpperCase()}; it offers ${toolkit.schemes.map(({ mode }) => mode).join(', ')}.`,
    )
  return scheme
}

/**
 * Every required field of a step is there and fits its pattern. @throws 305, 400
 * @param touched judges only these: what a change leaves alone is no fault of the change
 */
export function checkFields(
  toolkit: Toolkit,
  scheme: CompiledScheme,
  step: Step,
  given: Secrets,
  part: string,
  touched?: ReadonlySet<string>,
): void {
  const faults = fieldFaults(scheme, step, given, touched)
  const missing = faults.filter(({ fault }) => fault === 'missing')
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
        ({ fault, field: { name, display_name, pattern, enum: allowed = [] } }) =>
          `Error in ${part}.${name}: ${display_name} must ${fault === 'pattern' ? `match ${pattern}` : `be one of ${allowed.join(', ')}`}`,
      ),
    )
  }
}

type Step = 'auth_config_creation' | 'connected_account_initiation'
export interface FieldFault {
  field: FieldManifest
  fault: 'missing' | 'pattern' | 'enum'
}

/** What is wrong with the fields of a step, in their order. */
export function fieldFaults(
  scheme: CompiledScheme,
  step: Step,
  given: Secrets,
  touched?: ReadonlySet<string>,
): FieldFault[] {
  return mergedFields(scheme.manifest, step)
    .filter(({ name }) => !touched || touched.has(name))
    .flatMap((field): FieldFault[] => {
      const value = given[field.name]
      if (isEmpty(value)) return (field.required ?? true) ? [{ field, fault: 'missing' }] : []
      if (field.pattern && !new RegExp(field.pattern).test(String(value)))
        return [{ field, fault: 'pattern' }]
      return field.enum && !field.enum.includes(String(value)) ? [{ field, fault: 'enum' }] : []
    })
}

/** Tools that any version of the toolkit has, in their own spelling: a list must be able to name what v3 runs, the first version. @throws 400 */
export function checkTools(
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

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
