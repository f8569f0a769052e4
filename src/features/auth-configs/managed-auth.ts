import { matchesPattern } from '../../platform/safe-pattern/index.ts'
import { randomBytes } from 'node:crypto'
import {
  type AuthSchemeManifest,
  type Catalog,
  findCompiledScheme,
  schemeFieldGroups,
  type Toolkit,
} from '../../catalog/index.ts'
import type { ManagedAuthCredentials, ManagedAuthEntry } from '../../platform/config.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { isEmptyValue } from './validation.ts'
import type { Secrets } from './masking.ts'

/**
 * OAuth clients and other credentials of the administrator, used by every project that chooses managed auth.
 */
export interface ManagedAuth {
  /** Schemes of a toolkit with credentials. */
  schemes(toolkit: string): readonly string[]
  /** @throws ApiError 306, with the configuration that is missing */
  credentials(toolkit: string, scheme: string): Secrets
  /** Changes with the credentials, so that cached values that depend on them can be recreated. */
  revision(): number
  /**
   * Replaces all credentials from the same source.
   * @throws StartupError that lists all errors; then nothing changes
   */
  replace(sources: ManagedAuthCredentials): void
}

interface StoredCredentials {
  source: string
  toolkit: string
  scheme: string
  value: Buffer
}

const GUIDE = 'docs/guides/managed-oauth-apps.md'
/** Fields that a project chooses when it uses the client of the administrator. */
const CHOICES = ['scopes', 'user_scopes'] as const

/**
 * Validates the credentials of the administrator against the toolkits. Keeps them encrypted with a key of this
 * process, so that no dump of an object shows them.
 * @throws StartupError that lists all errors
 */
export function createManagedAuth(
  catalog: Pick<Catalog, 'toolkit'>,
  sources: readonly (ManagedAuthCredentials | undefined)[] = [],
): ManagedAuth {
  const { encryptWithRing: encrypt, decrypt } = createEncryptor(newMemoryKeys())
  let stored = validateAll(
    new Map(),
    sources.filter((credentials) => credentials !== undefined),
  )
  let revision = 0
  return {
    schemes: (toolkit) =>
      [...stored.values()]
        .filter((credentials) => credentials.toolkit === toolkit)
        .map(({ scheme }) => scheme),
    credentials(toolkit, scheme) {
      const name = entryName({ toolkit, scheme })
      const entry = stored.get(name)
      if (!entry) throw managedAuthMissing(catalog.toolkit(toolkit), toolkit, scheme)
      return decrypt<Secrets>(entry.value, name)
    },
    revision: () => revision,
    replace(credentials) {
      stored = validateAll(new Map([...stored].filter(([, { source }]) => source !== credentials.source)), [
        credentials,
      ])
      revision++
    },
  }

  function validateAll(
    others: ReadonlyMap<string, StoredCredentials>,
    more: readonly ManagedAuthCredentials[],
  ): Map<string, StoredCredentials> {
    const all = new Map(others)
    const problems: string[] = []
    for (const { source, entry } of more.flatMap((credentials) =>
      credentials.take().map((entry) => ({ source: credentials.source, entry })),
    )) {
      const name = entryName(entry)
      const wrong = all.has(name) ? ['is configured twice'] : findErrors(catalog, entry)
      problems.push(...wrong.map((fault) => `${source}: ${name} ${fault}.`))
      all.set(name, {
        source,
        toolkit: entry.toolkit,
        scheme: entry.scheme,
        value: encrypt(entry.values, name),
      })
    }
    if (problems.length) {
      const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
      const lines = problems.map((line) => `  ${line}`).join('\n')
      throw new StartupError(
        `The credentials for managed auth have ${count}:\n${lines}`,
        `Fix them; see ${GUIDE} for the format.`,
      )
    }
    return all
  }
}

const newMemoryKeys = () => parseKeyRing(`memory:${randomBytes(32).toString('base64')}`)

const entryName = ({ toolkit, scheme }: Pick<ManagedAuthEntry, 'toolkit' | 'scheme'>) =>
  `${toolkit}.${scheme}`

function findErrors(
  catalog: Pick<Catalog, 'toolkit'>,
  { toolkit: slug, scheme: mode, values }: ManagedAuthEntry,
): string[] {
  const toolkit = catalog.toolkit(slug)
  if (!toolkit) return ['is for an unknown toolkit; `patchbay toolkits list` shows all toolkits']
  const scheme = findCompiledScheme(toolkit, mode)
  if (!scheme)
    return [
      `is not a scheme of ${toolkit.name}; use one of ${toolkit.schemes.map(({ mode }) => mode).join(', ')}`,
    ]
  if (hasUnprovenTenant(scheme.manifest))
    return [
      'cannot be shared: an administrator consent is granted to the client, and nothing proves for which project. ' +
        'Each project needs its own client',
    ]
  if (receivesCodesByWebhook(scheme.manifest))
    return [
      'cannot be shared: its codes are sent to the webhook URL of one auth config. Each project needs its own client',
    ]
  const { required, optional } = schemeFieldGroups(scheme.manifest).auth_config_creation
  const fields = new Map([...required, ...optional].map((field) => [field.name, field]))
  return [
    ...required
      .filter(({ name }) => isEmptyValue(values[name]))
      .map(({ name, displayName }) => `lacks ${name} (${displayName})`),
    ...Object.keys(values)
      .filter((name) => !fields.has(name))
      .map(
        (name) => `has the unknown field ${name}; its fields are ${[...fields.keys()].join(', ') || 'none'}`,
      ),
    ...Object.entries(values).flatMap(([name, value]) => {
      const { pattern, enum: allowed } = fields.get(name) ?? {}
      if (pattern && !matchesPattern(pattern, String(value)))
        return [`has a ${name} that does not match ${pattern}`]
      return allowed && !allowed.includes(String(value))
        ? [`has a ${name} that is not one of ${allowed.join(', ')}`]
        : []
    }),
  ]
}

/**
 * Whether the tenant comes only from a callback URL, which anyone can write: with a shared client, one
 * project could name the tenant of another.
 */
const hasUnprovenTenant = (manifest: AuthSchemeManifest) =>
  manifest.scheme === 'OAUTH2' &&
  (manifest.authorize.flow === 'admin_consent' || manifest.token.grant_type === 'client_credentials')

const receivesCodesByWebhook = (manifest: AuthSchemeManifest) =>
  manifest.scheme === 'OAUTH2' && manifest.callback?.source === 'webhook'

/**
 * Creates the error for missing managed auth, with an example of the configuration. Default scheme: OAUTH2 if
 * possible.
 */
export function managedAuthMissing(toolkit: Toolkit | undefined, slug: string, mode?: string): ApiError {
  const scheme =
    toolkit &&
    (mode
      ? findCompiledScheme(toolkit, mode)
      : (toolkit.schemes.find((credentials) => credentials.mode === 'OAUTH2') ??
        toolkit.schemes.find(
          (credentials) => schemeFieldGroups(credentials.manifest).auth_config_creation.required.length,
        ) ??
        toolkit.schemes[0]))
  const fields = scheme
    ? schemeFieldGroups(scheme.manifest).auth_config_creation.required.map(({ name }) => [name, '…'] as const)
    : []
  const example = JSON.stringify({
    [slug]: { [scheme?.mode ?? mode ?? 'OAUTH2']: Object.fromEntries(fields) },
  })
  return new ApiError(
    'Auth_Config_DefaultAuthConfigNotFound',
    `This server has no managed credentials for ${toolkit?.name ?? slug}${mode ? ` with ${mode}` : ''}. An ` +
      'administrator can set them in the file of MANAGED_AUTH_FILE (or in MANAGED_AUTH, followed by a restart) as ' +
      `${example}: see ${GUIDE}.`,
    scheme && { fix: ownCredentialsFix(toolkit.slug, scheme.mode, fields) },
  )
}

/** Returns the next step of a caller who is no administrator: the command that creates the auth config. */
function ownCredentialsFix(slug: string, mode: string, fields: (readonly [string, string])[]): string {
  const body = JSON.stringify({
    type: 'use_custom_auth',
    authScheme: mode,
    credentials: Object.fromEntries(fields),
  })
  return (
    `Use your own credentials: patchbay auth-configs create --toolkit ${slug} --auth-config '${body}'. Or ask the ` +
    'administrator of the server to configure credentials for this toolkit.'
  )
}

/**
 * The client of the administrator with the scopes of the project; other stored fields of the project are
 * ignored.
 */
export function applyScopeChoices(managed: Secrets, projectCredentials: Secrets): Secrets {
  return {
    ...managed,
    ...Object.fromEntries(
      CHOICES.filter((name) => !isEmptyValue(projectCredentials[name])).map((name) => [
        name,
        projectCredentials[name],
      ]),
    ),
  }
}
