import { randomUUID } from 'node:crypto'
import { type AuthSchemeManifest, type CompiledScheme, type FieldManifest, type Lookup, mergedFields } from '../catalog/index.ts'

export type Values = Readonly<Record<string, unknown>>

/** Where the values of a connection are looked for. */
export interface Sources { val: Values, shared: Values, credentials: Values, scheme?: CompiledScheme | undefined }

/** Names of templates: what the caller adds first, then the user's values, the shared ones, the developer's, then what the manifest says of a blank field. */
export function lookupOf(setup: Sources, extra: Values = NOTHING): Lookup {
  // One after another: parts of a setup are opened when they are first read, and most names are the user's.
  return (name) => valueIn(extra, name) ?? valueIn(setup.val, name) ?? ofUserToken(setup.val, name) ?? valueIn(setup.shared, name) ?? valueIn(setup.credentials, name) ?? derived(setup, name)
}

/** The lookup of a tool that runs without a connection. */
export const lookupOfNothing: Lookup = (name) => name === 'uuid' ? randomUUID() : undefined

/** Fields that a person fills in one of the two steps, by name. */
export function fieldsByName(manifest: AuthSchemeManifest): ReadonlyMap<string, FieldManifest> {
  let known = FIELDS.get(manifest)
  if (!known) {
    const all = (['connected_account_initiation', 'auth_config_creation'] as const).flatMap((stage) => mergedFields(manifest, stage))
    FIELDS.set(manifest, known = new Map(all.reverse().map((field) => [field.name, field])))
  }
  return known
}

const FIELDS = new WeakMap<AuthSchemeManifest, ReadonlyMap<string, FieldManifest>>()
const NOTHING: Values = {}

function derived({ val, scheme }: Sources, name: string): unknown {
  if (name === 'uuid') return randomUUID()
  if (name === 'generic_api_key') { const key = val['api_key']; if (typeof key === 'string' && key) return key }
  return scheme && (fieldsByName(scheme.manifest).get(name)?.default ?? undefined)
}

/** The second token of providers with bot and user tokens is stored as the API shows it. */
function ofUserToken(val: Values, name: string): unknown {
  if (name !== 'user_access_token' && name !== 'user_scope') return undefined
  const user = val['authed_user'] as Record<string, unknown> | undefined
  return user?.[name === 'user_scope' ? 'scope' : 'access_token']
}

function valueIn(values: Values, name: string): unknown {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === null || value === '' ? undefined : value
}
