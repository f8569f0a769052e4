import { type Catalog, compiledSchemeOf, type CompiledScheme, fieldsOf, type Toolkit } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Secrets } from './masking.ts'

/** The scheme a toolkit is to be used with. @throws 304 */
export function offeredScheme(toolkit: Toolkit, name: string): CompiledScheme {
  const scheme = compiledSchemeOf(toolkit, name)
  if (!scheme) throw new ApiError('Auth_Config_SchemeNotSupported', `${toolkit.name} does not offer ${name.toUpperCase()}; it offers ${toolkit.schemes.map(({ mode }) => mode).join(', ')}.`)
  return scheme
}

/**
 * Every required field of a step is there and fits its pattern. @throws 305, 400
 * @param touched judges only these: what a change leaves alone is no fault of the change
 */
export function checkFields(toolkit: Toolkit, scheme: CompiledScheme, step: 'auth_config_creation' | 'connected_account_initiation', given: Secrets, part: string, touched?: ReadonlySet<string>): void {
  const fields = fieldsOf(scheme.manifest)[step]
  const judged = ({ name }: { name: string }) => !touched || touched.has(name)
  const required = fields.required.filter(judged)
  const optional = fields.optional.filter(judged)
  const missing = required.filter(({ name }) => isEmpty(given[name]))
  if (missing.length) {
    const sentences = missing.map(({ displayName }) => `Missing required field "${displayName}" for auth scheme "${scheme.mode}" in toolkit "${toolkit.slug}"`)
    throw new ApiError('Auth_Config_MissingRequiredField', sentences[0] as string, { details: missing.map(({ name }) => `Error in ${part}.${name}: is required`) })
  }
  const declared = new Map([...scheme.manifest.fields?.auth_config_creation ?? [], ...scheme.manifest.fields?.connected_account_initiation ?? []].map((field) => [field.name, field]))
  const wrong = [...required, ...optional].flatMap(({ name, displayName }) => {
    const { pattern, enum: allowed } = declared.get(name) ?? {}
    const value = given[name]
    if (isEmpty(value)) return []
    if (pattern && !new RegExp(pattern).test(String(value))) return [`Error in ${part}.${name}: ${displayName} must match ${pattern}`]
    return allowed && !allowed.includes(String(value)) ? [`Error in ${part}.${name}: ${displayName} must be one of ${allowed.join(', ')}`] : []
  })
  if (wrong.length) throw badRequest(...wrong)
}

/** Tools that any version of the toolkit has, in their own spelling: a list must be able to name what v3 runs, the first version. @throws 400 */
export function checkTools(catalog: Catalog, toolkit: string, slugs: readonly string[], part: string): string[] {
  const known = (slug: string) => catalog.availableVersions(toolkit).some((version) => catalog.tool(slug, version)?.toolkit.slug === toolkit)
  const wrong = slugs.flatMap((slug, i) => known(slug) ? [] : [`Error in ${part}.${i}: ${slug.slice(0, 64)} is not a tool of ${toolkit}`])
  if (wrong.length) throw badRequest(...wrong)
  return [...new Set(slugs.map((slug) => slug.toUpperCase()))]
}

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length)
