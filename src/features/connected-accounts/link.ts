import type { ConnectionContext, Values } from '../../auth-schemes/index.ts'
import { mergedFields, inProject } from '../../catalog/index.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts.ts'
import { checkFields, openConfig } from '../auth-configs/index.ts'
import { connectable, homeAddress, newRow, withAlias } from './create.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import type { FlowKind } from './flow-store.ts'
import { refuseChosenHosts, storedForm } from './given-val.ts'
import { checkAgain, linkAgain } from './link-again.ts'
import { MOVES } from './lifecycle.ts'
import * as links from './link-store.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { EXPIRED_LINK, type Outcome, UNKNOWN_LINK } from './outcome.ts'
import type { Asked } from './pages/connect-page.ts'
import { withoutFailure } from './reopen.ts'
import { type AccountRow, find, insert } from './store.ts'

const TOKEN = /^lk_[A-Za-z0-9]{32}$/

type LinkDraft = Pick<ConnectionDraft, 'user_id' | 'callback_url' | 'alias' | 'experimental'> & {
  connection_data?: Values
  connected_account_id?: string
}

/** An account that its user connects on a page of this server, a new one or again one that stands; what is known already is not asked for. @throws 400, 404, 501 */
export async function createLink(
  deps: AccountDeps,
  projectId: string,
  authConfigId: string,
  { connected_account_id: id, ...draft }: LinkDraft,
) {
  const connecting = await connectable(deps, projectId, authConfigId)
  if (id === undefined) return linkNew(deps, projectId, connecting, draft)
  await checkAgain(deps, projectId, { id, authConfigId, userId: draft.user_id }, draft)
  return linkAgain(deps, projectId, id, homeAddress(draft) ?? undefined)
}

async function linkNew(
  deps: AccountDeps,
  projectId: string,
  { config, toolkit, scheme }: Awaited<ReturnType<typeof connectable>>,
  { connection_data: given = {}, ...draft }: LinkDraft,
) {
  const { shared } = openConfig(deps.encryptor, config)
  const { status: _status, redirectUrl: _redirectUrl, ...known } = given
  const val = storedForm(scheme, known, shared, 'payload.connection_data')
  checkFields(
    toolkit,
    scheme,
    'connected_account_initiation',
    { ...shared, ...val },
    'payload.connection_data',
    new Set(Object.keys(val)),
  )
  refuseChosenHosts(scheme, config, val, 'payload.connection_data')
  const row = newRow(deps, config, toolkit, draft, val, 'INITIALIZING')
  const { token, expires } = await withAlias(draft.alias, () =>
    deps.db.begin(async (tx) => {
      await insert(tx, projectId, { ...row, val: deps.encryptor.encrypt(val, valContext(row.id)) })
      return links.newLink(tx, { project_id: projectId, connected_account_id: row.id, kind: 'connect' })
    }),
  )
  return {
    link_token: token,
    redirect_url: `${deps.publicUrl}/link/${token}`,
    expires_at: expires.toISOString(),
    connected_account_id: row.id,
  }
}

/** A link that still leads somewhere. */
export interface OpenLink {
  deps: AccountDeps
  projectId: string
  walk: FlowKind
  row: AccountRow
  setup: ConnectionContext
  val: Values
  shared: Values
  asked: Asked[]
}

/** What a link is for, or the page that says why it is for nothing any more. */
export async function openLink(shared: SharedAccountDeps, token: string): Promise<OpenLink | Outcome> {
  const link = TOKEN.test(token) ? await links.byToken(shared.db, token) : undefined
  if (!link) return UNKNOWN_LINK
  const deps = await inProject<AccountDeps>(shared, link.project_id)
  const row =
    link.late || link.used ? undefined : await find(deps.db, link.project_id, link.connected_account_id)
  if (
    !row ||
    row.auth_config_status === 'DISABLED' ||
    !(MOVES[link.kind].from as readonly string[]).includes(row.status)
  )
    return EXPIRED_LINK
  const val = withoutFailure(openVal(deps.encryptor, row))
  const setup = setupOf(deps, { ...row, id: row.auth_config_id }, () => val)
  if (!setup) return EXPIRED_LINK
  return {
    deps,
    projectId: link.project_id,
    walk: link.kind,
    row,
    setup,
    val,
    shared: setup.shared,
    asked: askedFor(setup, val, link.kind),
  }
}

/** Fields of the user that nobody has given yet; what is there can be corrected, and a secret is asked for again when the account is connected again. */
function askedFor({ scheme, shared }: ConnectionContext, val: Values, kind: FlowKind): Asked[] {
  const isKnown = (value: unknown) => value !== undefined && value !== null && value !== ''
  return mergedFields(scheme.manifest, 'connected_account_initiation')
    .filter(
      ({ name, secret }) =>
        !isKnown(shared[name]) && (kind === 'reconnect' || !(secret && isKnown(val[name]))),
    )
    .map((field) => ({ ...field, value: field.secret ? '' : String(val[field.name] ?? '') }))
    .sort((a, b) => rank(a) - rank(b))
}

/** Where the account is, then the secret that opens it, then what may be left out. */
const rank = ({ required = true, secret = false }: Asked) => (required ? Number(secret) : 2)
