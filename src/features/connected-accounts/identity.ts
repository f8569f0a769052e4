import {
  authSchemes,
  type Grant,
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type ConnectionContext,
  type Values,
} from '../../auth-schemes/index.ts'
import { type IdentityManifest, readMember, type Toolkit, ToolFailure } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { ask } from './ask.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import { REASONS } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { type AccountRow, find, writeIdentity } from './store.ts'

/** Nobody waits longer to be told whom an account belongs to. */
const TIMEOUT_MS = 5_000

/** Whose account it is at the provider, as far as it says. */
export interface Identity {
  id: string | null
  email: string | null
  name: string | null
  tenant: string | null
}

/** `current` is null when it could not be asked for the credentials that stand; `before` is what the last known credentials belonged to, while that was another. */
export interface KnownIdentity {
  current: Identity | null
  before: Identity | null
  checked_at: string
}

const identityContext = (id: string) => `connected_accounts:${id}:identity`
export const openIdentity = (
  encryptor: Encryptor,
  row: Pick<AccountRow, 'id' | 'identity'>,
): KnownIdentity | undefined =>
  row.identity ? encryptor.decrypt<KnownIdentity>(row.identity, identityContext(row.id)) : undefined

/** What the reply of the identity request says; undefined when nothing stands where it is looked for. */
export function identityIn(
  manifest: IdentityManifest,
  reply: unknown,
  setup: ConnectionContext,
): Identity | undefined {
  const read = (name: keyof Identity) => readMember(manifest[name], reply, lookupOf(setup))
  const found: Identity = { id: read('id'), email: read('email'), name: read('name'), tenant: read('tenant') }
  return (found.id ?? found.email ?? found.name ?? found.tenant) ? found : undefined
}

/** As a person reads it: `Ada Lovelace (ada@example.com), Acme`. */
export function whoIs({ id, email, name, tenant }: Identity): string {
  const who = name && email && name !== email ? `${name} (${email})` : (name ?? email ?? id)
  return [who, tenant].filter(Boolean).join(', ')
}

/** By what both of them have: the id, else the e-mail address, else the name; and the tenant. */
export function isAnother(a: Identity, b: Identity): boolean {
  const name = (['id', 'email', 'name'] as const).find((one) => a[one] !== null && b[one] !== null)
  const differs = (one: keyof Identity) => a[one] !== null && b[one] !== null && a[one] !== b[one]
  return (name !== undefined && differs(name)) || differs('tenant')
}

/**
 * After new credentials were stored: asks whose they are and writes it down beside them, unless they have changed meanwhile. It never fails, since the
 * connection stands; `tried` is what the same request answered a moment ago. Answers what is known now.
 */
export async function noteIdentity(
  deps: AccountDeps,
  projectId: string,
  id: string,
  tried?: Identity,
): Promise<KnownIdentity | undefined> {
  try {
    const row = await find(deps.db, projectId, id)
    const toolkit = row && deps.catalog.toolkit(row.toolkit_slug)
    return row && toolkit?.identity
      ? await askWho(deps, projectId, row, toolkit, toolkit.identity, tried)
      : undefined
  } catch (error) {
    deps.log.error(
      { err: error, connected_account_id: id },
      'it could not be written down whose account this is',
    )
    return undefined
  }
}

async function askWho(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  toolkit: Toolkit,
  manifest: IdentityManifest,
  tried: Identity | undefined,
): Promise<KnownIdentity | undefined> {
  const stored = openVal(deps.encryptor, row)
  const setupWith = (more: Values | undefined) =>
    setupOf(deps, { ...row, id: row.auth_config_id }, () => ({ ...stored, ...more }))
  const setup = setupWith(undefined)
  if (!setup) return undefined
  const subject = { projectId, accountId: row.id, toolkit }
  let grant: Grant | undefined
  // One that is switched off uses nothing: whose it is now is not known.
  const found =
    row.status !== 'ACTIVE'
      ? undefined
      : (tried ??
        (await told(async () => {
          grant = await signIn(deps, subject, setup)
          const ready = setupWith(grant?.val) as ConnectionContext
          return identityIn(
            manifest,
            await ask(deps, { ...subject, setup: ready }, manifest, TIMEOUT_MS),
            ready,
          )
        })))
  const known = nextOf(openIdentity(deps.encryptor, row), found ?? null, deps.clock.now())
  await writeIdentity(deps.db, projectId, row.id, row.val_version, {
    identity: deps.encryptor.encrypt(known, identityContext(row.id)),
    ...(known.current && known.before ? { status_reason: REASONS.anotherIdentity } : {}),
    ...(grant
      ? {
          val: deps.encryptor.encrypt({ ...stored, ...grant.val }, valContext(row.id)),
          token_expires_at: grant.expiresAt === null ? null : new Date(grant.expiresAt),
        }
      : {}),
  })
  return known
}

/** What is known after an answer, or after none: the last identity that was known is kept for the next comparison. */
function nextOf(known: KnownIdentity | undefined, current: Identity | null, now: number): KnownIdentity {
  const last = known?.current ?? known?.before ?? null
  return {
    current,
    before: last && (!current || isAnother(last, current)) ? last : null,
    checked_at: new Date(now).toISOString(),
  }
}

/** A session or a minted token, where a scheme needs one before the first request; what it gets is kept. */
async function signIn(
  deps: AccountDeps,
  subject: { projectId: string; accountId: string },
  setup: ConnectionContext,
): Promise<Grant | undefined> {
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  const { renew } = scheme ?? {}
  if (!renew || !scheme?.isEmpty?.(setup) || !scheme.renewable?.(setup)) return undefined
  return recorded(deps, { ...subject, kind: renewalKind(setup), setup }, (tools) => renew(setup, tools))
}

/** What an application refuses or a connection lacks stands in the exchanges; it is no fault of ours. */
async function told<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (
      error instanceof GrantRejected ||
      error instanceof ProviderTrouble ||
      error instanceof ToolFailure ||
      error instanceof ApiError
    )
      return undefined
    throw error
  }
}
