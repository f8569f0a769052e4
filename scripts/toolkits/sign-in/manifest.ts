import { type Field, readFieldTexts, readSetupTexts, type SchemeFacts, type ToolkitFacts } from './facts.ts'

type Json = Record<string, unknown>

const FIRST_RELEASE = { version: '20261122_00', changes: 'First release.' }
const CREATED = '2026-11-22'

/** Names that a scheme supplies, so that they need no field. */
const SUPPLIED = new Set([
  ...['generic_api_key', 'token', 'username', 'password', 'session_token', 'client_id', 'client_secret'],
  ...['access_token', 'refresh_token', 'id_token', 'uuid', 'state', 'redirect_uri', 'oauth_token'],
])

/** Schemes whose own fields are named like a general one. */
const USERNAME_SCHEMES = new Set(['BASIC', 'BASIC_WITH_JWT'])

const fieldTexts = readFieldTexts()
const setupTexts = readSetupTexts()

/** Returns the toolkit.json of a toolkit. @throws Error for a placeholder that no field describes */
export function manifestOf(facts: ToolkitFacts): Json {
  return {
    slug: facts.slug,
    extends: facts.family,
    name: facts.name,
    description: facts.about,
    app_url: facts.site,
    ...(facts.docs !== undefined && { docs_url: facts.docs }),
    categories: facts.categories,
    created: CREATED,
    releases: [FIRST_RELEASE],
    base_url: facts.base_url,
    auth: facts.auth.map((scheme) => schemeOf(scheme, facts)),
    ...(facts.headers !== undefined && { request: { headers: facts.headers } }),
    ...(facts.probe !== undefined && { identity: facts.probe }),
    ...facts.manifest,
  }
}

function schemeOf(scheme: SchemeFacts, facts: ToolkitFacts): Json {
  const { scheme: name, fields: own = {}, ...rest } = scheme
  const declared = new Set(
    [...(own.auth_config_creation ?? []), ...(own.connected_account_initiation ?? [])].map((one) => one.name),
  )
  const generated = placeholdersOf(scheme, facts)
    .filter((one) => !declared.has(one) && !isSupplied(one, scheme))
    .map((one) => fieldOf(one, facts, scheme))
  const ofConfig = [
    ...(own.auth_config_creation ?? []),
    ...generated.filter((one) => one.ofConfig).map(field),
  ]
  const ofAccount = [
    ...generated.filter((one) => !one.ofConfig).map(field),
    ...(own.connected_account_initiation ?? []),
  ]
  const fields = {
    ...(ofConfig.length > 0 && { auth_config_creation: ofConfig }),
    ...(ofAccount.length > 0 && { connected_account_initiation: ofAccount }),
    ...(own.omit !== undefined && { omit: own.omit }),
  }
  const setup = rest['setup'] ?? setupOf(scheme, facts)
  const hint = rest['hint_url'] ?? (isInFamily(facts) ? undefined : (facts.console ?? facts.docs))
  return {
    scheme: name,
    ...(hint !== undefined && { hint_url: hint }),
    ...(setup !== undefined && { setup }),
    ...rest,
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}

/**
 * Returns the steps to create an OAuth app or a key: those of the family, or general ones. A user name and a
 * password need no steps.
 */
function setupOf(scheme: SchemeFacts, facts: ToolkitFacts): Json | undefined {
  const ofFamily = scheme.scheme === 'OAUTH2' ? setupTexts[facts.family] : undefined
  const kind = scheme.scheme === 'OAUTH2' ? 'oauth2' : scheme.scheme === 'API_KEY' ? 'key' : undefined
  const texts = ofFamily ?? (facts.family === 'slack' || kind === undefined ? undefined : setupTexts[kind])
  if (!texts) return undefined
  const { console_url: page = facts.console, steps, ...more } = texts
  const hasScopes = scheme['scopes'] !== undefined
  return {
    ...(page !== undefined && { console_url: page }),
    steps: steps
      .filter((step) => hasScopes || !step.includes('{scopes}'))
      .map((step) => step.replaceAll('{name}', facts.name)),
    ...more,
  }
}

/** Families other than `http` have pages about their credentials. */
const isInFamily = ({ family }: ToolkitFacts): boolean => family !== 'http'

const field = ({ value }: { value: Field }): Field => value

function isSupplied(name: string, scheme: SchemeFacts): boolean {
  if (name === 'username') return USERNAME_SCHEMES.has(scheme.scheme)
  return SUPPLIED.has(name) || suppliedBySteps(scheme).has(name)
}

/** Returns the names that the sign-in captures and those of variants. */
function suppliedBySteps(scheme: SchemeFacts): ReadonlySet<string> {
  const {
    token,
    callback,
    post_connect: steps,
    variants,
  } = scheme as {
    token?: { capture?: Json }
    callback?: { capture?: Json }
    post_connect?: { save: Json }[]
    variants?: { values: Record<string, Json> }[]
  }
  return new Set([
    ...Object.keys(token?.capture ?? {}),
    ...Object.keys(callback?.capture ?? {}),
    ...(steps ?? []).flatMap(({ save }) => Object.keys(save)),
    ...(variants ?? []).flatMap(({ values }) => Object.values(values).flatMap(Object.keys)),
  ])
}

/** Returns the names in the templates of a scheme and of the base URL, in order. */
function placeholdersOf(scheme: SchemeFacts, facts: ToolkitFacts): string[] {
  const base = scheme['base_url'] ?? facts.base_url
  const { scopes: _, variants: __, ...templates } = scheme
  const text = JSON.stringify([base, templates, facts.headers ?? {}])
  const names = [...text.matchAll(/\{\+?([a-z][a-z0-9_]*)(?=[|?}])/g)].map(([, name]) => name!)
  const ofFamily = facts.family === 'zoho' ? ['api_host', 'zoho_domain'] : []
  return [...new Set(names)].filter((name) => !ofFamily.includes(name))
}

/** Returns the field of a placeholder: the general texts with those of the toolkit over them. */
function fieldOf(
  name: string,
  facts: ToolkitFacts,
  scheme: SchemeFacts,
): { value: Field; ofConfig: boolean } {
  const general = fieldTexts[name]
  const own = facts.fields?.[name]
  if (!general && !own)
    throw new Error(`${facts.slug}: no field describes {${name}}. Add it to fields.json or to \`fields\`.`)
  const { of, ...texts } = { ...general, ...own } as Json & { of?: string }
  const description = String(texts['description']).replaceAll('{name}', facts.name)
  const isOptional = JSON.stringify([facts.base_url, scheme]).includes(`{${name}||`)
  return {
    ofConfig: of === 'auth_config',
    value: { name, ...texts, description, ...affixesOf(name, facts), ...(isOptional && { required: false }) },
  }
}

/** Returns what surrounds a field at the start of the host of the base URL, e.g. `https://` and `.zendesk.com`. */
function affixesOf(name: string, { base_url: base }: ToolkitFacts): Json {
  const [, suffix] = new RegExp(`^https://\\{${name}\\}(\\.[a-z0-9.-]+)(?:/|$)`).exec(base) ?? []
  return suffix === undefined ? {} : { prefix: 'https://', suffix }
}
