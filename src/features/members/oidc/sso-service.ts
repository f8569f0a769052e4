import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SsoDraft } from '../../../contract/sso.ts'
import type { ProviderTest } from '../../../contract/openid-fields.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { defaultProviderName } from '../../../platform/oauth/issuer-url.ts'
import { checkOpenIdProvider } from '../../../platform/oauth/check-openid-provider.ts'
import type { Changer } from '../service.ts'
import { hasPasskeys } from '../passkeys/store.ts'
import { findMember } from '../store.ts'
import * as store from './provider-store.ts'
import { clientSettings, secretContext, settingsOf, type SignInProviderDeps } from './sign-in-provider.ts'

/** Sessions of the console, as far as the rules about its provider need them. */
export interface ProviderSessions {
  /** Whether the member has a session that began at this revision of the provider. */
  hasSessionOf(memberId: string, revision: string): Promise<boolean>
  /** Ends the sessions of the organization that did not begin at this revision. */
  endOthers(tx: Db, organizationId: string, revision: string): Promise<unknown>
}

export interface SsoDeps extends Omit<SignInProviderDeps, 'db'> {
  db: Pool
  redirectUri: string
  sessions: ProviderSessions
}

type Draft = Omit<store.ProviderRow, 'updated_at'>

/** What decides who can sign in: a change of it is a new revision. */
const DECIDING = [
  'issuer',
  'client_id',
  'scopes',
  'allowed_domains',
  'trusts_email',
  'role_claim',
  'role_map',
  'default_role',
] as const

/** The rules for the identity provider of an organization. No change may lock everybody out. */
export const ssoService = (deps: SsoDeps) => ({
  async isProven({ organizationId, memberId }: Changer): Promise<boolean> {
    const row = await store.findProvider(deps.db, organizationId)
    return row !== undefined && memberId !== undefined && deps.sessions.hasSessionOf(memberId, row.revision)
  },
  set: (changer: Changer, draft: SsoDraft) => setProvider(deps, changer, draft),
  setOnly: (changer: Changer, isOnly: boolean) => setOnly(deps, changer, isOnly),
  remove: (changer: Changer) => removeProvider(deps, changer),
  async test({ organizationId }: Changer, draft: SsoDraft): Promise<ProviderTest> {
    const row = draftRow(deps, organizationId, draft, await store.findProvider(deps.db, organizationId))
    return testRow(deps, row)
  },
})

async function setProvider(deps: SsoDeps, changer: Changer, draft: SsoDraft): Promise<void> {
  assertNotOfServer(deps)
  const { organizationId } = changer
  const current = await store.findProvider(deps.db, organizationId)
  const next = draftRow(deps, organizationId, draft, current)
  const isSame = current !== undefined && current.revision === next.revision
  if (!isSame) await assertUsable(deps, next)
  await deps.db.begin(async (tx) => {
    const locked = await store.lockProvider(tx, organizationId)
    if (locked?.revision !== current?.revision)
      throw new ApiError('Sso_Changed', 'Another person changed the identity provider at the same time.')
    if (locked && !isSame) await assertReplaceable(tx, changer, locked)
    // The lock has the present value: another call may have changed it since.
    await store.upsertProvider(tx, { ...next, is_only: locked?.is_only ?? false })
  })
}

async function setOnly(deps: SsoDeps, { organizationId, memberId }: Changer, isOnly: boolean): Promise<void> {
  assertNotOfServer(deps)
  await deps.db.begin(async (tx) => {
    const row = await store.lockProvider(tx, organizationId)
    if (!row) throw new ApiError('Sso_NoProvider', 'The organization has no identity provider.')
    if (isOnly) {
      if (memberId === undefined || !(await deps.sessions.hasSessionOf(memberId, row.revision)))
        throw new ApiError(
          'Sso_NotProven',
          'You have not signed in at the identity provider since it was changed, so it may not let you in.',
        )
      await deps.sessions.endOthers(tx, organizationId, row.revision)
    }
    await store.updateIsOnly(tx, organizationId, isOnly)
  })
}

async function removeProvider(deps: SsoDeps, changer: Changer): Promise<void> {
  assertNotOfServer(deps)
  await deps.db.begin(async (tx) => {
    const row = await store.lockProvider(tx, changer.organizationId)
    if (!row) return
    await assertReplaceable(tx, changer, row)
    await store.deleteProvider(tx, changer.organizationId)
  })
}

function assertNotOfServer({ settings }: SsoDeps): void {
  if (settings)
    throw new ApiError('Sso_SetByServer', 'The settings of the server name the identity provider.')
}

/** @throws ApiError if the change of a provider could leave the caller without a way to sign in */
async function assertReplaceable(tx: Db, { organizationId, memberId }: Changer, row: store.ProviderRow) {
  if (row.is_only)
    throw new ApiError(
      'Sso_IsOnly',
      'Members sign in at this identity provider only, so it cannot be changed.',
    )
  // A key of the organization stays valid, whatever the provider does.
  if (memberId === undefined) return
  const member = await findMember(tx, organizationId, memberId)
  if (!member?.password_hash && !(await hasPasskeys(tx, memberId)))
    throw new ApiError(
      'Sso_NoOtherSignIn',
      'You have no password and no passkey, so you could not sign in after the change.',
    )
}

/** Returns the row of a draft, with the stored secret and revision where they still apply. */
function draftRow(
  { encryptor }: SsoDeps,
  organizationId: string,
  draft: SsoDraft,
  current: store.ProviderRow | undefined,
): Draft {
  const isSameClient = draft.issuer === current?.issuer && draft.client_id === current?.client_id
  const secret = draft.client_secret
  const row = {
    organization_id: organizationId,
    issuer: draft.issuer,
    client_id: draft.client_id,
    encrypted_client_secret:
      secret === undefined
        ? (isSameClient && current?.encrypted_client_secret) || null
        : secret === null
          ? null
          : encryptor.encryptWithRing(secret, secretContext(organizationId)),
    name: draft.name ?? defaultProviderName(draft.issuer),
    scopes: draft.scopes ?? 'openid email profile',
    allowed_domains: draft.allowed_domains ?? [],
    trusts_email: draft.trusts_email ?? false,
    role_claim: draft.role_claim ?? 'groups',
    role_map: draft.role_map ?? {},
    default_role: draft.default_role ?? null,
    is_only: current?.is_only ?? false,
  }
  const isSame =
    current !== undefined &&
    secret === undefined &&
    DECIDING.every((field) => isDeepStrictEqual(row[field], current[field]))
  return { ...row, revision: isSame ? current.revision : randomUUID() }
}

async function testRow({ encryptor, egress, redirectUri }: SsoDeps, row: Draft): Promise<ProviderTest> {
  const settings = clientSettings(settingsOf({ ...row, updated_at: new Date(0) }, encryptor))
  const checks = await checkOpenIdProvider(settings, redirectUri, egress)
  return { is_usable: checks.every(({ result }) => result !== 'failed'), checks }
}

/** @throws ApiError 400 with what is wrong with the provider */
async function assertUsable(deps: SsoDeps, row: Draft): Promise<void> {
  const { checks } = await testRow(deps, row)
  const failed = checks.find(({ result }) => result === 'failed')
  if (failed) throw new ApiError('Sso_ProviderUnusable', failed.message)
}
