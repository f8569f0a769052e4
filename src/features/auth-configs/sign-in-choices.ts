import { findCompiledScheme, type Toolkit } from '../../catalog/index.ts'

/** Schemes that a link offers besides the first; the contract allows as many. */
const ALTERNATIVES_MAX = 8

export interface SignInChoice {
  readonly id: string
  readonly auth_scheme: string
}

/**
 * Returns the auth configs among which a user chooses: the first, and of each other scheme that the toolkit has the
 * first one. People choose by how they sign in, so two auth configs with one scheme are no choice.
 * @param configs in the order of preference, such as newest first
 */
export function chooseSignIns(toolkit: Toolkit, configs: readonly SignInChoice[]): string[] {
  const firstOfScheme = new Map<string, string>()
  for (const { id, auth_scheme: scheme } of configs)
    if (!firstOfScheme.has(scheme) && (firstOfScheme.size === 0 || findCompiledScheme(toolkit, scheme)))
      firstOfScheme.set(scheme, id)
  return [...firstOfScheme.values()].slice(0, ALTERNATIVES_MAX + 1)
}
