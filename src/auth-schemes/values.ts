import { randomUUID } from 'node:crypto'
import {
  type AuthSchemeManifest,
  type CompiledScheme,
  type FieldManifest,
  type Lookup,
  mergedFields,
  UnsafeValue,
  type VariantManifest,
} from '../catalog/index.ts'

export type Values = Readonly<Record<string, unknown>>

/** Where the values of a connection are looked for. */
export interface Sources {
  val: Values
  shared: Values
  credentials: Values
  scheme?: CompiledScheme | undefined
}

/** Names of templates: what the caller adds first, then the user's values, the shared ones, the developer's, then what the manifest says of a blank field. */
export function lookupOf(setup: Sources, extra: Values = NOTHING): Lookup {
  const brought = broughtBy(setup.scheme?.manifest)
  // One after another: parts of a setup are opened when they are first read, and most names are the user's.
  const found: Lookup = (name) =>
    valueIn(extra, name) ??
    valueIn(setup.val, name) ??
    ofUserToken(setup.val, name) ??
    valueIn(setup.shared, name) ??
    valueIn(setup.credentials, name) ??
    derived(setup, name)
  if (!brought) return found
  return (name) => {
    const variant = brought.get(name)
    // Only the manifest says what a choice brings: a value of the same name that somebody stored would choose where secrets go.
    return variant ? chosen(setup, variant)?.[name] : found(name)
  }
}

/** The lookup of a tool that runs without a connection. */
export const lookupOfNothing: Lookup = (name) => (name === 'uuid' ? randomUUID() : undefined)

/** Fields that a person fills in one of the two steps, by name. */
export function fieldsByName(manifest: AuthSchemeManifest): ReadonlyMap<string, FieldManifest> {
  let known = FIELDS.get(manifest)
  if (!known) {
    const all = (['connected_account_initiation', 'auth_config_creation'] as const).flatMap((stage) =>
      mergedFields(manifest, stage),
    )
    FIELDS.set(manifest, (known = new Map(all.reverse().map((field) => [field.name, field]))))
  }
  return known
}

const FIELDS = new WeakMap<AuthSchemeManifest, ReadonlyMap<string, FieldManifest>>()
const NOTHING: Values = {}

function derived({ val, scheme }: Sources, name: string): unknown {
  if (name === 'uuid') return randomUUID()
  if (name === 'generic_api_key') {
    const key = val['api_key']
    if (typeof key === 'string' && key) return key
  }
  return scheme && (fieldsByName(scheme.manifest).get(name)?.default ?? undefined)
}

/** What the choice that was made for a connection brings; undefined where none was made. @throws UnsafeValue for one that the manifest does not know */
function chosen(
  { val, shared, credentials, scheme }: Sources,
  { by, default: preset, values }: VariantManifest,
): Readonly<Record<string, string>> | undefined {
  const manifest = scheme!.manifest
  const isOfUser = mergedFields(manifest, 'connected_account_initiation').some(({ name }) => name === by)
  const choice =
    (isOfUser ? valueIn(val, by) : undefined) ??
    valueIn(shared, by) ??
    valueIn(credentials, by) ??
    fieldsByName(manifest).get(by)?.default ??
    preset
  if (choice === undefined) return undefined
  if (!Object.hasOwn(values, String(choice)))
    throw new UnsafeValue(by, `must be one of ${Object.keys(values).join(', ')}`)
  return values[String(choice)]
}

/** Names that variants bring, each with its variant; undefined for a manifest without any. */
function broughtBy(
  manifest: AuthSchemeManifest | undefined,
): ReadonlyMap<string, VariantManifest> | undefined {
  if (!manifest?.variants) return undefined
  let known = BROUGHT.get(manifest)
  if (!known)
    BROUGHT.set(
      manifest,
      (known = new Map(
        manifest.variants.flatMap((variant) =>
          Object.values(variant.values)
            .flatMap((one) => Object.keys(one))
            .map((name) => [name, variant] as const),
        ),
      )),
    )
  return known
}

const BROUGHT = new WeakMap<AuthSchemeManifest, ReadonlyMap<string, VariantManifest>>()

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
