import { authSchemes, type ConnectionContext, type Values } from '../../auth-schemes/index.ts'
import { inProject, type Toolkit } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { type AuthConfigRow, findAuthConfig } from '../auth-configs/index.ts'
import { advance, openWaiting, type Progress } from './arrival.ts'
import { anyBrowser, type Browser } from './browser-cookie.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import { isWaiting } from './code-store.ts'
import { secretsOf } from './flow.ts'
import { byState, claim, claimOfBrowser, type FlowRow, hashState, openInBrowser } from './flow-store.ts'
import { openIdentity } from './identity.ts'
import { REASONS } from './lifecycle.ts'
import { openVal, setupOf } from './open.ts'
import {
  EXPIRED_LINK,
  message,
  NO_STATE,
  NOTHING_BEGUN,
  OTHER_BROWSER,
  type Outcome,
  SEVERAL_BEGUN,
  UNKNOWN_LINK,
} from './outcome.ts'
import { NOT_AVAILABLE } from './provider-errors.ts'
import { type AccountRow, find } from './store.ts'
import * as waits from './wait-store.ts'
import { keptBy, mayFinish } from './walk-end.ts'
import {
  choiceAddress,
  failed,
  type Failure,
  failureOf,
  failurePage,
  ledOn,
  toolkitOf,
} from './walk-pages.ts'
import { meet, webhookOf } from './webhook.ts'

/** How long a page waits before it asks again whether the provider has confirmed. */
const ASK_AGAIN_SECONDS = 3
const SLUG_MAX = 64

/** The provider sent the browser back: the steps, in order. */
export async function finishFlow(
  deps: SharedAccountDeps,
  callback: Values,
  browser: Browser | undefined,
): Promise<Outcome> {
  const state = walkOf(callback)
  if (state === undefined) return NO_STATE
  const flow = await claim(deps.db, hashState(state), browser?.hash)
  if (!flow) return refused(await byState(deps.db, hashState(state)))
  return finishClaimed(deps, flow, callback, browser)
}

/** As `finishFlow`, for a provider that brings no state: the walk is the one that this browser began with the toolkit that the address names. */
export async function finishInBrowser(
  deps: SharedAccountDeps,
  toolkit: string,
  callback: Values,
  browser: Browser | undefined,
): Promise<Outcome> {
  if (!browser || toolkit.length > SLUG_MAX) return NOTHING_BEGUN
  const flow = await claimOfBrowser(deps.db, toolkit, browser.hash)
  if (flow) return finishClaimed(deps, flow, callback, browser)
  return (await openInBrowser(deps.db, toolkit, browser.hash)) > 1 ? SEVERAL_BEGUN : NOTHING_BEGUN
}

/** The code of a walk whose browser is back came by a webhook. False when the account waits for it no longer. */
export async function finishByWebhook(
  deps: SharedAccountDeps,
  stateHash: Buffer,
  callback: Values,
): Promise<boolean> {
  const flow = await byState(deps.db, stateHash)
  return (
    flow !== undefined &&
    !flow.late &&
    (await finishClaimed(deps, flow, callback, undefined, true)) !== EXPIRED_LINK
  )
}

/** `hasCode`: what the webhook of the provider brought stands in `callback` already. */
async function finishClaimed(
  shared: SharedAccountDeps,
  flow: FlowRow,
  callback: Values,
  browser: Browser | undefined,
  hasCode = false,
): Promise<Outcome> {
  const deps = await inProject<AccountDeps>(shared, flow.project_id)
  const row = await find(deps.db, flow.project_id, flow.connected_account_id)
  if (!row || !mayFinish(flow, row)) return EXPIRED_LINK
  const config = await findAuthConfig(deps.db, flow.project_id, row.auth_config_id)
  const setup =
    config &&
    setupOf(deps, config, () => ({ ...openVal(deps.encryptor, row), ...keptBy(secretsOf(deps, flow)).val }))
  const met =
    setup && webhookOf(setup) && !hasCode && callback['error'] === undefined
      ? await meet(deps, flow, row.auth_config_id, setup, callback)
      : { kind: 'met' as const, callback }
  if (met.kind === 'waiting') return waiting(deps, flow, row)
  // One that this server never saw is known by its state alone; from here on it is this one.
  const here = browser ?? anyBrowser(undefined)
  const browserHash = browser?.hash ?? flow.browser_hash ?? here.hash
  const ended =
    met.kind === 'refused'
      ? { code: 'token_exchange_failed', text: met.text }
      : await exchange(
          deps,
          { flow, row, config, toolkit: deps.catalog.toolkit(row.toolkit_slug), setup, browserHash },
          met.callback,
        )
  if ('at' in ended && ended.at !== 'late') return ledOn(deps, flow.project_id, row, ended, 'visit', here)
  return failed(
    deps,
    flow.project_id,
    row,
    setup,
    'at' in ended ? { code: 'expired', text: REASONS.setupTimeout } : ended,
    { after: 'visit', kind: flow.kind },
  )
}

interface Walk {
  flow: FlowRow
  row: AccountRow
  config: AuthConfigRow | undefined
  toolkit: Toolkit | undefined
  setup: ConnectionContext | undefined
  browserHash: Buffer
}

/** What tells one walk from others: the state, or the request token of OAuth 1 (RFC 5849, 2.2), which some providers call `denied` when the user refused. */
function walkOf(callback: Values): string | undefined {
  return ['state', 'oauth_token', 'denied']
    .map((name) => callback[name])
    .find((value): value is string => typeof value === 'string' && value !== '')
}

function refused(flow: FlowRow | undefined): Outcome {
  if (!flow) return UNKNOWN_LINK
  return flow.used_at || flow.late ? EXPIRED_LINK : OTHER_BROWSER
}

/** Code against tokens, then on with them. */
async function exchange(
  deps: AccountDeps,
  { flow, row, config, toolkit, setup, browserHash }: Walk,
  callback: Values,
): Promise<Progress | Failure> {
  const finish = setup && authSchemes[setup.scheme.mode as AuthSchemeName]?.finish
  if (!config || !toolkit || !setup || !finish)
    return { code: NOT_AVAILABLE, text: 'The auth config of this connection is gone.' }
  if (typeof callback['denied'] === 'string') return { code: 'access_denied', text: 'access_denied' }
  const secrets = secretsOf(deps, flow)
  const { val: kept, ...scopes } = keptBy(secrets)
  const setupWith = (val: Values) =>
    setupOf(deps, config, () => ({ ...openVal(deps.encryptor, row), ...val }))
  try {
    const { val, expiresAt } = await recorded(
      deps,
      { projectId: flow.project_id, accountId: row.id, kind: 'code', setup },
      (tools) => finish(setup, secrets, callback, tools),
    )
    return await advance(
      deps,
      { projectId: flow.project_id, row, toolkit, setupWith, browserHash },
      { kind: flow.kind, isWhole: false, val: { ...kept, ...val }, expiresAt, scopes, step: 0, isWalk: true },
    )
  } catch (error) {
    const failure = failureOf(error)
    if (failure) return failure
    throw error
  }
}

/** The browser is back before its code. The page asks again by itself, as long as the walk has time. */
async function waiting(deps: AccountDeps, flow: FlowRow, row: AccountRow): Promise<Outcome> {
  const toolkit = toolkitOf(deps, row)
  return message(200, {
    tone: 'plain',
    title: `Waiting for ${toolkit.name}`,
    text: `${toolkit.name} still has to confirm the connection, which takes a few seconds. You can also close this page: the connection is finished without it.`,
    toolkit,
    branding: await deps.branding(flow.project_id),
    onward: {
      url: `${deps.publicUrl}/api/v3/s/${flow.short_id}/end`,
      label: 'Look again',
      afterSeconds: ASK_AGAIN_SECONDS,
    },
  })
}

/** How a walk whose code comes by a webhook has ended, for the browser that waits for it. */
export async function showEnd(
  shared: SharedAccountDeps,
  flow: FlowRow | undefined,
  browser: Browser | undefined,
): Promise<Outcome> {
  const row = flow && (await find(shared.db, flow.project_id, flow.connected_account_id))
  if (!flow?.used_at || !row) return UNKNOWN_LINK
  if (flow.browser_hash && !browser?.hash.equals(flow.browser_hash)) return OTHER_BROWSER
  const deps = await inProject<AccountDeps>(shared, flow.project_id)
  const isOver = !(await isWaiting(deps.db, flow.project_id, flow.state_hash))
  if (!isOver) return flow.late ? EXPIRED_LINK : waiting(deps, flow, row)
  // Only to the browser that is known to have begun: whoever merely has the link would confirm in another's place.
  const wait = flow.browser_hash ? await waits.ofAccount(deps.db, flow.project_id, row.id) : undefined
  if (wait) return { kind: 'redirect', url: openWaiting(deps, wait).url ?? choiceAddress(deps, wait.id) }
  if (row.status === 'ACTIVE')
    return ledOn(
      deps,
      flow.project_id,
      row,
      { at: 'connected', known: openIdentity(deps.encryptor, row) },
      'visit',
    )
  if (row.status !== 'FAILED') return waiting(deps, flow, row)
  const { error, error_description: text } = openVal(deps.encryptor, row)
  return failurePage(
    deps,
    flow.project_id,
    row,
    undefined,
    { code: String(error), text: String(text) },
    { after: 'visit', kind: flow.kind },
  )
}
