import type { AuthSchemeManifest, FieldManifest, VariantManifest } from '../../format/index.ts'
import { SCHEME_FIELDS } from './scheme-fields.ts'

/** One field as the API describes it; `pattern` to `example` are for forms and checks. */
export interface FieldDescriptor {
  name: string
  displayName: string
  type: 'string' | 'number' | 'boolean'
  description: string
  required: boolean
  default: string | null
  legacy_template_name?: string
  is_secret: boolean
  pattern?: string
  enum?: readonly string[]
  prefix?: string
  suffix?: string
  example?: string
}

export interface FieldGroup {
  required: readonly FieldDescriptor[]
  optional: readonly FieldDescriptor[]
}
export interface SchemeFieldGroups {
  auth_config_creation: FieldGroup
  connected_account_initiation: FieldGroup
}

type FieldStage = keyof SchemeFieldGroups

/**
 * Which fields a scheme of a toolkit asks for, at auth config creation and when a user connects: those of the
 * scheme merged with the manifest's.
 */
export function schemeFieldGroups(scheme: AuthSchemeManifest): SchemeFieldGroups {
  const groupOf = (stage: FieldStage): FieldGroup => {
    const all = mergeSchemeFields(scheme, stage).map(describeField)
    return { required: all.filter((one) => one.required), optional: all.filter((one) => !one.required) }
  }
  return {
    auth_config_creation: groupOf('auth_config_creation'),
    connected_account_initiation: groupOf('connected_account_initiation'),
  }
}

/**
 * The fields of one stage in order: the scheme's own, then the manifest's; the same name replaces, `omit`
 * removes.
 */
export function mergeSchemeFields(scheme: AuthSchemeManifest, stage: FieldStage): FieldManifest[] {
  const declared = scheme.fields?.[stage] ?? []
  const elsewhere =
    scheme.fields?.[
      stage === 'auth_config_creation' ? 'connected_account_initiation' : 'auth_config_creation'
    ] ?? []
  const omit = new Set(scheme.fields?.omit)
  const merged = new Map<string, FieldManifest>()
  for (const own of SCHEME_FIELDS[scheme.scheme]?.[stage] ?? []) {
    // A manifest that asks for the scheme's field at the other stage has moved it there.
    if (omit.has(own.name) || elsewhere.some(({ name }) => name === own.name)) continue
    const adapted = adaptSchemeField(own, scheme)
    if (adapted) merged.set(own.name, adapted)
  }
  for (const one of declared) merged.set(one.name, one)
  for (const variant of scheme.variants ?? []) {
    const own = declared.find(({ name }) => name === variant.by)
    const isAsked =
      own ?? (stage === 'connected_account_initiation' && !elsewhere.some(({ name }) => name === variant.by))
    if (isAsked) merged.set(variant.by, variantField(variant, own))
  }
  return [...merged.values()]
}

/** The field that chooses a variant, in the words of the manifest where it has some. */
function variantField(
  { by, default: preset, values }: VariantManifest,
  own: FieldManifest | undefined,
): FieldManifest {
  const words = by.replaceAll(/[_-]/g, ' ')
  return {
    display_name: words[0]!.toUpperCase() + words.slice(1),
    description: `The ${words} of your account.`,
    ...own,
    name: by,
    enum: Object.keys(values),
    required: own?.required ?? preset === undefined,
    ...(preset === undefined ? {} : { default: own?.default ?? preset }),
  }
}

/** What the manifest says about a scheme's own field without naming it. */
function adaptSchemeField(own: FieldManifest, scheme: AuthSchemeManifest): FieldManifest | undefined {
  if (scheme.scheme === 'S2S_OAUTH2' && own.name === 'scope')
    return withDefault(own, scheme.scopes?.default, scheme.scope_separator ?? ' ')
  if (scheme.scheme !== 'OAUTH2' && scheme.scheme !== 'S2S_OAUTH2') return own
  if (own.name === 'client_secret' && scheme.client_auth === 'none') return { ...own, required: false }
  if (scheme.scheme === 'S2S_OAUTH2') return own
  if (own.name === 'scopes') return withDefault(own, scheme.scopes?.default)
  if (own.name === 'user_scopes')
    return scheme.authorize.user_scope_param === undefined
      ? undefined
      : withDefault(own, scheme.scopes?.user_default)
  return own
}

const withDefault = (own: FieldManifest, scopes: readonly string[] | undefined, separator = ',') =>
  scopes && scopes.length > 0 ? { ...own, default: scopes.join(separator) } : own

function describeField(field: FieldManifest): FieldDescriptor {
  return {
    name: field.name,
    displayName: field.display_name,
    type: field.type ?? 'string',
    description: field.description,
    required: field.required ?? true,
    default: field.default ?? null,
    ...(field.legacy_template_name !== undefined && { legacy_template_name: field.legacy_template_name }),
    is_secret: field.secret ?? false,
    ...(field.pattern !== undefined && { pattern: field.pattern }),
    ...(field.enum !== undefined && { enum: field.enum }),
    ...(field.prefix !== undefined && { prefix: field.prefix }),
    ...(field.suffix !== undefined && { suffix: field.suffix }),
    ...(field.example !== undefined && { example: field.example }),
  }
}
