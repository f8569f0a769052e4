import type { PostConnectChoice } from '../../../engine/index.ts'
import { bindToProject } from '../../../catalog/index.ts'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { finish, type Finished, pipeline } from '../../../platform/pipeline.ts'
import { findAuthConfig } from '../../auth-configs/index.ts'
import { createConnectionContext } from '../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { type Browser, formToken } from '../pages/browser-cookie.ts'
import { flowPage } from '../pages/flow-pages.ts'
import type { PageOutcome } from '../pages/page-outcome.ts'
import { renderChoicePage } from '../pages/templates/choice-page.ts'
import { imageOriginsOf } from '../pages/templates/layout.ts'
import { toolkitLabel } from '../pages/toolkit-label.ts'
import { resourceText } from '../pages/wording/field-texts.ts'
import { canMove } from '../state-machine.ts'
import { findAccount } from '../store.ts'
import type { FlowOutcome, HasAccount, HasAuthConfig, HasBrowser, HasGrant } from './context.ts'
import { decryptPendingConnection, type PendingConnection } from './pending-connection.ts'
import * as pendingStore from './pending-store.ts'
import { connectAccount } from './steps/connect-account.ts'
import { fetchIdentity } from './steps/fetch-identity.ts'
import { lookUpResources } from './steps/look-up-resources.ts'
import { markAccountFailed, toFailedOutcome } from './steps/record-failure.ts'
import { requestConfirmation } from './steps/request-confirmation.ts'

const PENDING_ID = /^cw_[A-Za-z0-9]{12}$/

/** A request for the page on which the user chooses. */
interface ChoiceRequest {
  readonly pendingId: string
  readonly sender: Browser | undefined
}
interface ChoiceForm extends ChoiceRequest {
  readonly form: Readonly<Record<string, string>>
}
interface HasPendingConnection extends HasAccount, HasBrowser, HasGrant {
  readonly pending: PendingConnection
}

type ChoiceOutcome =
  | FlowOutcome
  | { readonly kind: 'choice_shown'; readonly context: HasPendingConnection & ChoiceRequest }
  /** The form was sent without a choice. */
  | { readonly kind: 'choice_missing'; readonly context: HasPendingConnection & ChoiceRequest }

/** Shows the page on which the user chooses, only to the browser that returned from the provider. */
export async function showChoicePage(
  deps: SharedAccountDeps,
  pendingId: string,
  sender: Browser | undefined,
): Promise<PageOutcome> {
  return choicePage(await showChoice({ pendingId, sender }, deps))
}

/** Continues the connection with what the user chose. */
export async function submitChoice(
  deps: SharedAccountDeps,
  pendingId: string,
  sender: Browser | undefined,
  form: Readonly<Record<string, string>>,
): Promise<PageOutcome> {
  return choicePage(await continueWithChoice({ pendingId, sender, form }, deps))
}

const showChoice = pipeline<ChoiceRequest, SharedAccountDeps, ChoiceOutcome>()
  .step(loadPendingConnection) // rejects if it is expired or of another browser
  .end((context): ChoiceOutcome => ({ kind: 'choice_shown', context }))

const continueWithChoice = pipeline<ChoiceForm, SharedAccountDeps, ChoiceOutcome>()
  .step(checkFormToken) // rejects a form that this browser was not shown
  .step(loadPendingConnection)
  .step(readChoice) // ends if no choice was made
  .step(loadAuthConfig)
  .mapOutcome(markAccountFailed)
  .mapOutcome(endPendingConnection)
  .recover(toFailedOutcome)
  .step(lookUpResources) // ends if there is another choice
  .step(requestConfirmation)
  .step(connectAccount)
  .end(fetchIdentity)

function checkFormToken({
  pendingId,
  sender,
  form,
}: ChoiceForm): { sender: Browser } | Finished<ChoiceOutcome> {
  return sender && timingSafeEqualText(form['form_token'] ?? '', formToken(sender, pendingId))
    ? { sender }
    : finish<ChoiceOutcome>({ kind: 'rejected', reason: 'form_token_missing' })
}

async function loadPendingConnection(
  { pendingId, sender }: ChoiceRequest,
  deps: SharedAccountDeps,
): Promise<HasPendingConnection | Finished<ChoiceOutcome>> {
  const row = PENDING_ID.test(pendingId)
    ? await pendingStore.findPendingChoice(deps.db, pendingId)
    : undefined
  if (!row || row.is_expired) return finish<ChoiceOutcome>({ kind: 'too_late' })
  if (!sender?.hash.equals(row.key_hash)) {
    return finish<ChoiceOutcome>({ kind: 'rejected', reason: 'wrong_browser' })
  }
  const project = await bindToProject<AccountDeps>(deps, row.project_id)
  const account = await findAccount(project.db, row.project_id, row.connected_account_id)
  const pending = decryptPendingConnection(project.encryptor, row)
  const { grant } = pending
  if (!account || account.auth_config_status === 'DISABLED' || !canMove(grant.kind, account.status)) {
    return finish<ChoiceOutcome>({ kind: 'too_late' })
  }
  return {
    project,
    projectId: row.project_id,
    account,
    kind: grant.kind,
    grant,
    pending,
    browser: sender,
    browserHash: sender.hash,
  }
}

function readChoice(context: ChoiceForm & HasPendingConnection): HasGrant | Finished<ChoiceOutcome> {
  const { form, grant, pending } = context
  const chosen = choiceOf(form['choice'] ?? '', pending.choices)
  if (!chosen) return finish<ChoiceOutcome>({ kind: 'choice_missing', context })
  const credentials = { ...grant.credentials, ...chosen.save }
  return { grant: { ...grant, credentials, step: grant.step + 1 } }
}

const choiceOf = (index: string, choices: readonly PostConnectChoice[]): PostConnectChoice | undefined =>
  /^\d{1,3}$/.test(index) ? choices[Number(index)] : undefined

async function loadAuthConfig({
  project,
  projectId,
  account,
  grant,
}: HasAccount & HasGrant): Promise<
  (HasAuthConfig & Pick<HasAccount, 'connection'>) | Finished<ChoiceOutcome>
> {
  const config = await findAuthConfig(project.db, projectId, account.auth_config_id)
  const toolkit = project.catalog.toolkit(account.toolkit_slug)
  if (!config || !toolkit) return finish<ChoiceOutcome>({ kind: 'too_late' })
  return { config, toolkit, connection: createConnectionContext(project, config, () => grant.credentials) }
}

/** A failed connection cannot be continued with another choice. */
async function endPendingConnection(
  { project, projectId, pendingId }: HasAccount & ChoiceRequest,
  _deps: object,
  outcome: ChoiceOutcome,
): Promise<ChoiceOutcome> {
  if (outcome.kind === 'failed') await pendingStore.usePendingConnection(project.db, projectId, pendingId)
  return outcome
}

function choicePage(outcome: ChoiceOutcome): Promise<PageOutcome> | PageOutcome {
  if (outcome.kind === 'choice_shown') return renderChoice(outcome.context, false)
  if (outcome.kind === 'choice_missing') return renderChoice(outcome.context, true)
  return flowPage(outcome, 'form')
}

async function renderChoice(
  { project, projectId, account, pending, pendingId, browser }: HasPendingConnection & ChoiceRequest,
  isMissing: boolean,
): Promise<PageOutcome> {
  const { displayName, logoUrl, theme } = await project.branding(projectId)
  const page = {
    toolkit: toolkitLabel(project, account),
    projectName: displayName,
    projectLogo: logoUrl,
    theme,
    publicUrl: project.publicUrl,
    what: resourceText(pending.what),
    choices: pending.choices.map(({ label, value }) => ({ label, value })),
    isMissing,
    id: pendingId,
    formToken: formToken(browser, pendingId),
  }
  const imageOrigins = imageOriginsOf(project.publicUrl, logoUrl)
  const status = isMissing ? 400 : 200
  return {
    kind: 'html',
    status,
    render: (translator) => renderChoicePage(page, translator),
    imageOrigins,
    accentColor: theme?.accentColor,
  }
}
