import {
  type Grant,
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type ConnectionContext,
  type Credentials,
} from '../../../auth-schemes/index.ts'
import { type IdentityManifest, readReplyText, type Toolkit, ToolFailure } from '../../../catalog/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { accountConnectionContext, decryptCredentials, encryptCredentials } from '../credentials.ts'
import type { AccountDeps } from '../deps.ts'
import { STATUS_REASONS } from '../state-machine.ts'
import { type AccountRow, findAccount, writeIdentity } from '../store.ts'
import { signInIfNeeded } from '../token-refresh/sign-in.ts'
import { probeAccount } from './probe-request.ts'

/** The user waits for this request, so it has less time than others. */
const TIMEOUT_MS = 5_000

/** The user and tenant of an account at the provider, as far as the provider returns them. */
export interface Identity {
  id: string | null
  email: string | null
  name: string | null
  tenant: string | null
}

/**
 * `current` is null if the identity of the current credentials could not be requested. `before` is the
 * identity of the last known credentials, while it differs.
 */
export interface KnownIdentity {
  current: Identity | null
  before: Identity | null
  checked_at: string
}

const encryptionContext = (id: string) => `connected_accounts:${id}:identity`

export const decryptIdentity = (
  encryptor: Encryptor,
  row: Pick<AccountRow, 'id' | 'identity'>,
): KnownIdentity | undefined =>
  row.identity ? encryptor.decrypt<KnownIdentity>(row.identity, encryptionContext(row.id)) : undefined

/**
 * Reads the identity from the response of the identity request. Returns undefined if the response has none.
 */
export function readIdentity(
  manifest: IdentityManifest,
  body: unknown,
  connection: ConnectionContext,
): Identity | undefined {
  const read = (name: keyof Identity) => readReplyText(manifest[name], body, credentialLookup(connection))
  const identity: Identity = {
    id: read('id'),
    email: read('email'),
    name: read('name'),
    tenant: read('tenant'),
  }
  return (identity.id ?? identity.email ?? identity.name ?? identity.tenant) ? identity : undefined
}

/** A label for people: `Ada Lovelace (ada@example.com), Acme`. */
export function identityLabel({ id, email, name, tenant }: Identity): string {
  const user = name && email && name !== email ? `${name} (${email})` : (name ?? email ?? id)
  return [user, tenant].filter(Boolean).join(', ')
}

/** Compares by what both have: the id, else the e-mail address, else the name; and the tenant. */
export function isDifferentIdentity(a: Identity, b: Identity): boolean {
  const field = (['id', 'email', 'name'] as const).find((name) => a[name] !== null && b[name] !== null)
  const differs = (name: keyof Identity) => a[name] !== null && b[name] !== null && a[name] !== b[name]
  return (field !== undefined && differs(field)) || differs('tenant')
}

/**
 * Requests the identity of new credentials and stores it, unless the credentials have changed meanwhile.
 * `probed` is the result of the same request a moment ago. Errors are only logged, because the account is
 * connected already. Returns what is known now.
 */
export async function updateIdentity(
  deps: AccountDeps,
  projectId: string,
  id: string,
  probed?: Identity,
): Promise<KnownIdentity | undefined> {
  try {
    const row = await findAccount(deps.db, projectId, id)
    const toolkit = row && deps.catalog.toolkit(row.toolkit_slug)
    return row && toolkit?.identity
      ? await requestAndStore(deps, projectId, row, toolkit, toolkit.identity, probed)
      : undefined
  } catch (error) {
    deps.log.error({ err: error, connected_account_id: id }, 'the identity of an account was not stored')
    return undefined
  }
}

async function requestAndStore(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  toolkit: Toolkit,
  manifest: IdentityManifest,
  probed: Identity | undefined,
): Promise<KnownIdentity | undefined> {
  const stored = decryptCredentials(deps.encryptor, row)
  if (!accountConnectionContext(deps, row, () => stored)) return undefined
  // A disabled account sends no requests, so its identity is unknown.
  const { identity, signIn } =
    row.status !== 'ACTIVE'
      ? {}
      : probed
        ? { identity: probed }
        : await requestIdentity(deps, projectId, row, toolkit, manifest, stored)
  const known = nextIdentity(decryptIdentity(deps.encryptor, row), identity ?? null, deps.clock.now())
  const encryptor = await deps.encryptor.ofProject(projectId)
  await writeIdentity(deps.db, projectId, row.id, row.credentials_version, {
    identity: encryptor.encrypt(known, encryptionContext(row.id)),
    ...(known.current && known.before ? { status_reason: STATUS_REASONS.differentIdentity } : {}),
    ...(signIn
      ? {
          credentials: encryptCredentials(encryptor, row.id, { ...stored, ...signIn.credentials }),
          token_expires_at: signIn.expiresAt === null ? null : new Date(signIn.expiresAt),
        }
      : {}),
  })
  return known
}

/**
 * Requests the identity, after a sign-in if the scheme needs one; the session is stored with the identity.
 * Errors of the provider and missing values are in the provider request log, and are no errors here.
 */
async function requestIdentity(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  toolkit: Toolkit,
  manifest: IdentityManifest,
  stored: Credentials,
): Promise<{ identity?: Identity | undefined; signIn?: Grant | undefined }> {
  const contextWith = (more: Credentials | undefined) =>
    accountConnectionContext(deps, row, () => ({ ...stored, ...more })) as ConnectionContext
  const subject = { projectId, accountId: row.id, toolkit }
  let signIn: Grant | undefined
  try {
    signIn = await signInIfNeeded(deps, { projectId, accountId: row.id }, contextWith(undefined))
    const connection = contextWith(signIn?.credentials)
    const body = await probeAccount(deps, { ...subject, connection }, manifest, TIMEOUT_MS)
    return { identity: readIdentity(manifest, body, connection), signIn }
  } catch (error) {
    if (!isExpectedError(error)) throw error
    return { signIn }
  }
}

const isExpectedError = (error: unknown): boolean =>
  error instanceof GrantRejected ||
  error instanceof ProviderUnavailable ||
  error instanceof ToolFailure ||
  error instanceof ApiError

/** The last known identity is kept for the next comparison, also if the current one is unknown. */
function nextIdentity(
  known: KnownIdentity | undefined,
  current: Identity | null,
  now: number,
): KnownIdentity {
  const last = known?.current ?? known?.before ?? null
  return {
    current,
    before: last && (!current || isDifferentIdentity(last, current)) ? last : null,
    checked_at: new Date(now).toISOString(),
  }
}
