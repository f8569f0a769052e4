import { randomUUID } from 'node:crypto'
import {
  type AuthSchemeManifest,
  type CompiledScheme,
  type FieldManifest,
  type Lookup,
  mergeSchemeFields,
  UnsafeValue,
  type VariantManifest,
} from '../../catalog/index.ts'

export type Credentials = Readonly<Record<string, unknown>>

/** Sources of the values that templates use. */
export interface CredentialSources {
  credentials: Credentials
  sharedCredentials: Credentials
  authConfigCredentials: Credentials
  scheme?: CompiledScheme | undefined
}

/**
 * Looks up template values: `extra` first, then credentials of the user, shared credentials, credentials of
 * the auth
 * config, and the default that the manifest declares for a field.
 */
export function credentialLookup(connection: CredentialSources, extra: Credentials = NO_CREDENTIALS): Lookup {
  const variants = variantsByName(connection.scheme?.manifest)
  // In sequence: the parts of a connection are decrypted at first access, and most names are in the user's
  // part.
  const lookup: Lookup = (name) =>
    nonEmptyValue(extra, name) ??
    nonEmptyValue(connection.credentials, name) ??
    userTokenValue(connection.credentials, name) ??
    nonEmptyValue(connection.sharedCredentials, name) ??
    nonEmptyValue(connection.authConfigCredentials, name) ??
    derivedValue(connection, name)
  if (!variants) return lookup
  return (name) => {
    const variant = variants.get(name)
    // Only the manifest defines the values of a variant: a stored value of the same name could redirect
    // secrets.
    return variant ? chosenVariantValues(connection, variant)?.[name] : lookup(name)
  }
}

/** Lookup for a tool that runs without a connection. */
export const emptyLookup: Lookup = (name) => (name === 'uuid' ? randomUUID() : undefined)

/** Fields that people fill in, by name: those of the auth config and those of the connection. */
export function fieldsByName(manifest: AuthSchemeManifest): ReadonlyMap<string, FieldManifest> {
  let cached = FIELDS_BY_MANIFEST.get(manifest)
  if (!cached) {
    const all = (['connected_account_initiation', 'auth_config_creation'] as const).flatMap((stage) =>
      mergeSchemeFields(manifest, stage),
    )
    FIELDS_BY_MANIFEST.set(manifest, (cached = new Map(all.reverse().map((field) => [field.name, field]))))
  }
  return cached
}

const FIELDS_BY_MANIFEST = new WeakMap<AuthSchemeManifest, ReadonlyMap<string, FieldManifest>>()
const NO_CREDENTIALS: Credentials = {}

function derivedValue({ credentials, scheme }: CredentialSources, name: string): unknown {
  if (name === 'uuid') return randomUUID()
  if (name === 'generic_api_key') {
    const key = credentials['api_key']
    if (typeof key === 'string' && key) return key
  }
  return scheme && (fieldsByName(scheme.manifest).get(name)?.default ?? undefined)
}

/**
 * Values of the variant chosen for a connection; undefined without a choice.
 * @throws UnsafeValue for a choice that the manifest does not declare
 */
function chosenVariantValues(
  { credentials, sharedCredentials, authConfigCredentials, scheme }: CredentialSources,
  { by, default: preset, values }: VariantManifest,
): Readonly<Record<string, string>> | undefined {
  const manifest = scheme!.manifest
  const isOfUser = mergeSchemeFields(manifest, 'connected_account_initiation').some(({ name }) => name === by)
  const choice =
    (isOfUser ? nonEmptyValue(credentials, by) : undefined) ??
    nonEmptyValue(sharedCredentials, by) ??
    nonEmptyValue(authConfigCredentials, by) ??
    fieldsByName(manifest).get(by)?.default ??
    preset
  if (choice === undefined) return undefined
  if (!Object.hasOwn(values, String(choice)))
    throw new UnsafeValue(by, `must be one of ${Object.keys(values).join(', ')}`)
  return values[String(choice)]
}

/** Names that variants define, each with its variant; undefined for a manifest without variants. */
function variantsByName(
  manifest: AuthSchemeManifest | undefined,
): ReadonlyMap<string, VariantManifest> | undefined {
  if (!manifest?.variants) return undefined
  let cached = VARIANTS_BY_MANIFEST.get(manifest)
  if (!cached)
    VARIANTS_BY_MANIFEST.set(
      manifest,
      (cached = new Map(
        manifest.variants.flatMap((variant) =>
          Object.values(variant.values)
            .flatMap((variantValues) => Object.keys(variantValues))
            .map((name) => [name, variant] as const),
        ),
      )),
    )
  return cached
}

const VARIANTS_BY_MANIFEST = new WeakMap<AuthSchemeManifest, ReadonlyMap<string, VariantManifest>>()

/** The user token of providers with bot and user tokens is stored under `authed_user`, as in the API. */
function userTokenValue(credentials: Credentials, name: string): unknown {
  if (name !== 'user_access_token' && name !== 'user_scope') return undefined
  const user = credentials['authed_user'] as Record<string, unknown> | undefined
  return user?.[name === 'user_scope' ? 'scope' : 'access_token']
}

function nonEmptyValue(values: Credentials, name: string): unknown {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === null || value === '' ? undefined : value
}
