import { randomBytes } from 'node:crypto'
import {
  type AuthSchemeManifest,
  type Catalog,
  compiledSchemeOf,
  fieldsOf,
  type Toolkit,
} from '../../catalog/index.ts'
import type { OperatorCredentials, OperatorEntry } from '../../platform/config.ts'
import { keyRingFrom, createEncryptor } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { isEmpty } from './check.ts'
import type { Secrets } from './masking.ts'

/** Credentials of the operator, used for every project that asks for managed auth. */
export interface ManagedAuth {
  /** The schemes of a toolkit that have some. */
  schemes(toolkit: string): readonly string[]
  /** @throws 306, saying what the operator has to configure */
  credentials(toolkit: string, scheme: string): Secrets
  /** A number that changes with the credentials: what was made with others is made anew. */
  revision(): number
  /** Everything that came from the same source gives way to this, at once. @throws StartupError that names everything that is wrong; then nothing changes */
  replace(given: OperatorCredentials): void
}

interface Kept {
  source: string
  toolkit: string
  scheme: string
  value: Buffer
}

const GUIDE = 'docs/guides/managed-oauth-apps.md'
/** What a project chooses for itself under the operator's client. */
const CHOICES = ['scopes', 'user_scopes'] as const

/**
 * Judges what the operator gave against the toolkits, and keeps it sealed with a key that lives as long as this process: no dump of an object shows it.
 * @throws StartupError that names everything that is wrong
 */
export function managedAuth(
  catalog: Catalog,
  given: readonly (OperatorCredentials | undefined)[] = [],
): ManagedAuth {
  const { encrypt: seal, decrypt: open } = createEncryptor(
    keyRingFrom(`memory:${randomBytes(32).toString('base64')}`),
  )
  let kept = judged(
    new Map(),
    given.filter((one) => one !== undefined),
  )
  let revision = 0
  return {
    schemes: (toolkit) =>
      [...kept.values()].filter((one) => one.toolkit === toolkit).map(({ scheme }) => scheme),
    credentials(toolkit, scheme) {
      const name = nameOf({ toolkit, scheme })
      const found = kept.get(name)
      if (!found) throw notConfigured(catalog.toolkit(toolkit), toolkit, scheme)
      return open<Secrets>(found.value, name)
    },
    revision: () => revision,
    replace(credentials) {
      kept = judged(new Map([...kept].filter(([, { source }]) => source !== credentials.source)), [
        credentials,
      ])
      revision++
    },
  }

  function judged(
    others: ReadonlyMap<string, Kept>,
    more: readonly OperatorCredentials[],
  ): Map<string, Kept> {
    const all = new Map(others)
    const problems: string[] = []
    for (const { source, entry } of more.flatMap((one) =>
      one.take().map((entry) => ({ source: one.source, entry })),
    )) {
      const name = nameOf(entry)
      const wrong = all.has(name) ? ['is there twice'] : faultsOf(catalog, entry)
      problems.push(...wrong.map((fault) => `${source}: ${name} ${fault}.`))
      all.set(name, { source, toolkit: entry.toolkit, scheme: entry.scheme, value: seal(entry.values, name) })
    }
    if (problems.length)
      throw new StartupError(
        `The credentials for managed auth have ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
        `Correct them; ${GUIDE} shows how they look.`,
      )
    return all
  }
}

const nameOf = ({ toolkit, scheme }: Pick<OperatorEntry, 'toolkit' | 'scheme'>) => `${toolkit}.${scheme}`

function faultsOf(catalog: Catalog, { toolkit: slug, scheme: mode, values }: OperatorEntry): string[] {
  const toolkit = catalog.toolkit(slug)
  if (!toolkit) return ['is of no toolkit of this release; `patchbay toolkits list` shows them']
  const scheme = compiledSchemeOf(toolkit, mode)
  if (!scheme)
    return [
      `is no scheme that ${toolkit.name} offers; it offers ${toolkit.schemes.map((one) => one.mode).join(', ')}`,
    ]
  if (provesNoTenant(scheme.manifest))
    return [
      'cannot be shared: the consent of an administrator goes to the client, and nothing proves which project it was meant for. Each project needs a client of its own',
    ]
  if (bringsCodesByWebhook(scheme.manifest))
    return [
      'cannot be shared: its codes come to the address of one auth config. Each project needs a client of its own',
    ]
  const { required, optional } = fieldsOf(scheme.manifest).auth_config_creation
  const known = new Map([...required, ...optional].map((field) => [field.name, field]))
  return [
    ...required
      .filter(({ name }) => isEmpty(values[name]))
      .map(({ name, displayName }) => `lacks ${name} (${displayName})`),
    ...Object.keys(values)
      .filter((name) => !known.has(name))
      .map(
        (name) =>
          `has ${name}, which is no field of it; its fields are ${[...known.keys()].join(', ') || 'none'}`,
      ),
    ...Object.entries(values).flatMap(([name, value]) => {
      const { pattern, enum: allowed } = known.get(name) ?? {}
      if (pattern && !new RegExp(pattern).test(String(value)))
        return [`has a ${name} that does not match ${pattern}`]
      return allowed && !allowed.includes(String(value))
        ? [`has a ${name} that is none of ${allowed.join(', ')}`]
        : []
    }),
  ]
}

/** Whether a tenant is known only from an address that anybody can write: with a client that projects share, one could name the tenant of another. */
const provesNoTenant = (manifest: AuthSchemeManifest) =>
  manifest.scheme === 'OAUTH2' &&
  (manifest.authorize.flow === 'admin_consent' || manifest.token.grant_type === 'client_credentials')

const bringsCodesByWebhook = (manifest: AuthSchemeManifest) =>
  manifest.scheme === 'OAUTH2' && manifest.callback?.source === 'webhook'

/** Says what to configure and where. Without a scheme: the one an operator would give credentials for. */
export function notConfigured(toolkit: Toolkit | undefined, slug: string, mode?: string): ApiError {
  const scheme =
    toolkit &&
    (mode
      ? compiledSchemeOf(toolkit, mode)
      : (toolkit.schemes.find((one) => one.mode === 'OAUTH2') ??
        toolkit.schemes.find((one) => fieldsOf(one.manifest).auth_config_creation.required.length) ??
        toolkit.schemes[0]))
  const fields = scheme
    ? fieldsOf(scheme.manifest).auth_config_creation.required.map(({ name }) => [name, '…'] as const)
    : []
  const example = JSON.stringify({
    [slug]: { [scheme?.mode ?? mode ?? 'OAUTH2']: Object.fromEntries(fields) },
  })
  return new ApiError(
    'Auth_Config_DefaultAuthConfigNotFound',
    `This server has no credentials of its own for ${toolkit?.name ?? slug}${mode ? ` with ${mode}` : ''}, so managed auth is not possible. Its operator gives them in the file that MANAGED_AUTH_FILE names (or in MANAGED_AUTH, and starts it again) as ${example}: see ${GUIDE}.`,
  )
}

/** The operator's client under the project's own choice of scopes; nothing else that a project stored counts. */
export function withChoices(operator: Secrets, own: Secrets): Secrets {
  return {
    ...operator,
    ...Object.fromEntries(CHOICES.filter((name) => !isEmpty(own[name])).map((name) => [name, own[name]])),
  }
}
