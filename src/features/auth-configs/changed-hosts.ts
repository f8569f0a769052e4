import { type CompiledScheme, credentialHostNames, type Toolkit } from '../../catalog/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { readableFields, type Secrets } from './masking.ts'
import { isEmptyValue } from './validation.ts'

/** Stored values, and the values after a change. */
export interface CredentialsChange {
  stored: Secrets
  changed: Secrets
}

/** The fields of a change that select another host than before. */
export function changedHostFields(
  toolkit: Toolkit,
  scheme: CompiledScheme,
  { stored, changed }: CredentialsChange,
): string[] {
  const baseUrl = (scheme.baseUrl ?? toolkit.baseUrl)?.source
  return [...credentialHostNames(scheme.manifest, baseUrl)].filter(
    (name) => textOf(stored[name]) !== textOf(changed[name]),
  )
}

const textOf = (value: unknown): string => (isEmptyValue(value) ? '' : String(value))

/**
 * Requires all stored secrets again if the server that receives them changes: a caller that may write, but reads only
 * masks, could otherwise have them sent to its own server. `sent` names the fields with new values in the request.
 * @throws ApiError 400 with one line a field
 */
export function requireSecretsAgain(
  scheme: CompiledScheme,
  { stored, sent }: { stored: Secrets; sent: ReadonlySet<string> },
  changedFields: readonly string[],
  path = 'payload.credentials',
): void {
  if (!changedFields.length) return
  const isReadable = readableFields(scheme.manifest)
  const missing = Object.keys(stored).filter(
    (name) =>
      !isReadable(name) && !changedFields.includes(name) && !isEmptyValue(stored[name]) && !sent.has(name),
  )
  if (!missing.length) return
  throw badRequest(
    ...missing.map(
      (name) =>
        `Error in ${path}.${name}: send it again, because ${changedFields.join(', ')} changes the server that ` +
        'receives it',
    ),
  )
}
