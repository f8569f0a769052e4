import { inProject } from '../../catalog/index.ts'
import type { Values } from '../../auth-schemes/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { findAuthConfig } from '../auth-configs/index.ts'
import { advance, mayArrive, openWaiting, type Waiting } from './arrival.ts'
import { type Browser, formToken } from './browser-cookie.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { openVal, setupOf } from './open.ts'
import { EXPIRED_LINK, NO_COOKIE, OTHER_BROWSER, type Outcome } from './outcome.ts'
import { choicePage } from './pages/choice-page.ts'
import { originsOf } from './pages/layout.ts'
import { type AccountRow, find } from './store.ts'
import * as waits from './wait-store.ts'
import { failed, failureOf, ledOn, toolkitOf } from './walk-pages.ts'

const WAIT_ID = /^cw_[A-Za-z0-9]{12}$/

interface Open {
  deps: AccountDeps
  wait: waits.WaitRow
  waiting: Waiting
  row: AccountRow
  browser: Browser
}

/** The page on which the user chooses; only the browser that came back from the provider sees it. */
export async function showChoice(
  shared: SharedAccountDeps,
  id: string,
  browser: Browser | undefined,
): Promise<Outcome> {
  const open = await openWait(shared, id, browser)
  return 'kind' in open ? open : show(open, false)
}

/** The user chose: what the choice brings is saved, and the connection goes on. */
export async function takeChoice(
  shared: SharedAccountDeps,
  id: string,
  browser: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (!browser || !timingSafeEqualText(form['form_token'] ?? '', formToken(browser, id))) return NO_COOKIE
  const open = await openWait(shared, id, browser)
  if ('kind' in open) return open
  const {
    deps,
    wait,
    waiting: { arrival, choices },
    row,
  } = open
  const chosen = /^\d{1,3}$/.test(form['choice'] ?? '') ? choices[Number(form['choice'])] : undefined
  if (!chosen) return show(open, true)
  const projectId = wait.project_id
  const config = await findAuthConfig(deps.db, projectId, row.auth_config_id)
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  if (!config || !toolkit) return EXPIRED_LINK
  const setupWith = (val: Values) =>
    setupOf(deps, config, () => (arrival.isWhole ? val : { ...openVal(deps.encryptor, row), ...val }))
  try {
    const progress = await advance(
      deps,
      { projectId, row, toolkit, setupWith, browserHash: browser.hash, wait: id },
      { ...arrival, val: { ...arrival.val, ...chosen.save }, step: arrival.step + 1 },
    )
    return await ledOn(deps, projectId, row, progress, 'form', browser)
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) throw error
    await waits.take(deps.db, projectId, id)
    return failed(deps, projectId, row, setupWith(arrival.val), failure, {
      after: 'form',
      kind: arrival.kind,
    })
  }
}

async function openWait(
  shared: SharedAccountDeps,
  id: string,
  browser: Browser | undefined,
): Promise<Open | Outcome> {
  const wait = WAIT_ID.test(id) ? await waits.find(shared.db, id) : undefined
  if (!wait || wait.late) return EXPIRED_LINK
  if (!browser?.hash.equals(wait.key_hash)) return OTHER_BROWSER
  const deps = await inProject<AccountDeps>(shared, wait.project_id)
  const row = await find(deps.db, wait.project_id, wait.connected_account_id)
  const waiting = openWaiting(deps, wait)
  if (!row || row.auth_config_status === 'DISABLED' || !mayArrive(waiting.arrival.kind, row))
    return EXPIRED_LINK
  return { deps, wait, waiting, row, browser }
}

async function show(
  { deps, wait, waiting: { what, choices }, row, browser }: Open,
  isMissing: boolean,
): Promise<Outcome> {
  const { displayName, logoUrl } = await deps.branding(wait.project_id)
  const html = choicePage({
    toolkit: toolkitOf(deps, row),
    projectName: displayName,
    projectLogo: logoUrl,
    publicUrl: deps.publicUrl,
    what,
    choices: choices.map(({ label, value }) => ({ label, value })),
    isMissing,
    id: wait.id,
    formToken: formToken(browser, wait.id),
  })
  return {
    kind: 'html',
    status: isMissing ? 400 : 200,
    html,
    imageOrigins: originsOf(deps.publicUrl, logoUrl),
  }
}
