import type { Credentials } from '../../../auth-schemes/index.ts'
import { findCompiledScheme, type Toolkit } from '../../../catalog/index.ts'
import { pipeline } from '../../../platform/pipeline.ts'
import { type AuthConfigRow, findFieldErrors, findAuthConfig } from '../../auth-configs/index.ts'
import type { ConnectContext, FlowOutcome, HasBrowser } from '../authorization-flow/context.ts'
import { insertFlow } from '../authorization-flow/flow-store.ts'
import { type PreparedFlow, prepareFlow } from '../authorization-flow/start.ts'
import { connectAccount } from '../authorization-flow/steps/connect-account.ts'
import { fetchIdentity } from '../authorization-flow/steps/fetch-identity.ts'
import { lookUpResources } from '../authorization-flow/steps/look-up-resources.ts'
import { requestConfirmation } from '../authorization-flow/steps/request-confirmation.ts'
import { authSchemeOf, createConnectionContext, encryptCredentials } from '../credentials.ts'
import { probe, probeRequestOf } from '../identity/probe.ts'
import { normalizeCredentials, rejectChosenHosts, withoutSession } from '../normalize-credentials.ts'
import type { Browser } from '../pages/browser-cookie.ts'
import { flowPage, providerPage } from '../pages/flow-pages.ts'
import { type PageText, text } from '../pages/language/index.ts'
import { EXPIRED_LINK, type PageOutcome } from '../pages/page-outcome.ts'
import { toolkitLabel } from '../pages/toolkit-label.ts'
import { fieldErrorText } from '../pages/wording/field-errors.ts'
import { fieldTexts } from '../pages/wording/field-texts.ts'
import { type FormFailure, formFailure } from '../pages/wording/form-failure.ts'
import { SIGN_IN_OPTIONS } from '../reconnect/reopen-account.ts'
import { startReconnectFlow } from '../reconnect/start-reconnect-flow.ts'
import { moveAccount } from '../state-machine.ts'
import { signInIfNeeded } from '../token-refresh/sign-in.ts'
import type { OpenConnectLink } from './open-link.ts'
import { storeChosenConfig } from './sign-in-options.ts'

const FIELD_CHARACTERS_MAX = 20_000

/** Errors of a form: of fields by name, and of the form as a whole. */
export interface FormErrors {
  fields: Readonly<Record<string, PageText>>
  failure?: FormFailure
  entered: Readonly<Record<string, string>>
}

/** Continues at the provider, or connects the account. Returns the errors of the form if there are any. */
export async function submitForm(
  link: OpenConnectLink,
  browser: Browser,
  form: Readonly<Record<string, string>>,
): Promise<PageOutcome | FormErrors> {
  const { deps, row, connection, fields } = link
  const config = await findAuthConfig(deps.db, link.projectId, row.auth_config_id)
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = authSchemeOf(connection)
  if (!config || !toolkit || !scheme || !findCompiledScheme(toolkit, connection.scheme.mode))
    return EXPIRED_LINK
  const entered = readFields(link, form)
  const invalid = fields.find(({ name }) => !isStorable(entered[name] as string))
  if (invalid) {
    const error = text('field.stored', { name: fieldTexts(invalid, toolkit.name).label })
    return { entered: {}, fields: { [invalid.name]: error } }
  }
  const { credentials, errors } = readCredentials(link, entered, toolkit.name)
  if (Object.keys(errors).length) return { entered, fields: errors }
  rejectChosenHosts(connection.scheme, config, valuesOfFields(link, credentials))
  if (link.isOtherConfig && !(await storeChosenConfig(deps, link.projectId, row, withOptions(link, {}))))
    return EXPIRED_LINK
  try {
    return scheme.redirects
      ? await continueAtProvider(link, config, browser, credentials)
      : await connectWithCredentials(link, config, toolkit, browser, credentials)
  } catch (error) {
    const failure = formFailure(error, toolkit.name)
    if (!failure) throw error
    return { entered, fields: {}, failure }
  }
}

/** Keeps the choice for a user who returns without having finished. */
const withOptions = ({ options }: OpenConnectLink, credentials: Credentials): Credentials =>
  options.length > 0 ? { ...credentials, [SIGN_IN_OPTIONS]: options.map(({ id }) => id) } : credentials

const isStorable = (text: string): boolean =>
  text.length <= FIELD_CHARACTERS_MAX && text.isWellFormed() && !text.includes('\0')

const readFields = (
  { fields }: OpenConnectLink,
  form: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name, type }) => [
      name,
      type === 'boolean' ? String(form[name] === 'true') : (form[name] ?? '').trim(),
    ]),
  )

const valuesOfFields = ({ fields }: OpenConnectLink, credentials: Credentials): Credentials =>
  Object.fromEntries(fields.map(({ name }) => [name, credentials[name]]))

function readCredentials(
  { kind, connection, credentials: stored, shared, fields }: OpenConnectLink,
  entered: Readonly<Record<string, string>>,
  app: string,
): { credentials: Credentials; errors: Record<string, PageText> } {
  const typed = fields.map(({ name, type }) => [name, typedValue(entered[name] as string, type)] as const)
  const base = kind === 'reconnect' && !authSchemeOf(connection)?.redirects ? withoutSession(stored) : stored
  const input = { ...base, ...Object.fromEntries(typed) }
  const credentials = normalizeCredentials(connection.scheme, input, shared)
  const all = { ...shared, ...credentials }
  const faults = findFieldErrors(connection.scheme, 'connected_account_initiation', all)
  const errors: Record<string, PageText> = Object.fromEntries(
    faults.map((fault) => [fault.field.name, fieldErrorText(fault, app)]),
  )
  for (const [name, value] of typed) if (Number.isNaN(value)) errors[name] = text('field.number')
  return { credentials, errors }
}

function typedValue(text: string, type: string | undefined): unknown {
  if (text === '') return null
  if (type === 'boolean') return text === 'true'
  return type === 'number' ? Number(text) : text
}

/** Starts an authorization flow in this browser. */
async function continueAtProvider(
  link: OpenConnectLink,
  config: AuthConfigRow,
  browser: Browser,
  credentials: Credentials,
): Promise<PageOutcome> {
  const { deps, projectId, kind, row, connection } = link
  const flow =
    kind === 'connect'
      ? await startFirstFlow(link, config, browser, credentials)
      : await startReconnectFlow(deps, projectId, row, config, connection, {
          credentials,
          entered: valuesOfFields(link, credentials),
          browserHash: browser.hash,
        })
  return flow ? providerPage(deps, projectId, toolkitLabel(deps, row), flow.authorizeUrl) : EXPIRED_LINK
}

async function startFirstFlow(
  link: OpenConnectLink,
  config: AuthConfigRow,
  browser: Browser,
  credentials: Credentials,
): Promise<PreparedFlow | undefined> {
  const { deps, projectId, row } = link
  const flow = await prepareFlow(deps, {
    projectId,
    accountId: row.id,
    config,
    credentials,
    scopes: row.requested_scopes,
    userScopes: row.requested_user_scopes,
  })
  const stored = withOptions(link, { ...credentials, ...flow.credentials })
  const isStarted = await deps.db.begin(async (tx) => {
    await insertFlow(tx, { ...flow.row, browser_hash: browser.hash })
    return moveAccount(deps, tx, projectId, row.id, 'redirect', {
      credentials: encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, stored),
    })
  })
  return isStarted ? flow : undefined
}

/** Completes a connection with credentials that need no redirect. */
const completeConnection = pipeline<ConnectContext & HasBrowser, object, FlowOutcome>()
  .step(lookUpResources) // ends if the user has to choose one of several resources
  .step(requestConfirmation)
  .step(connectAccount)
  .end(fetchIdentity)

/** Tries the credentials if the toolkit has a request for that, and stores them. */
async function connectWithCredentials(
  { deps, projectId, kind, row }: OpenConnectLink,
  config: AuthConfigRow,
  toolkit: Toolkit,
  browser: Browser,
  input: Credentials,
): Promise<PageOutcome> {
  const subject = { projectId, accountId: row.id }
  const connection = createConnectionContext(deps, config, () => input)
  const signIn = connection && (await signInIfNeeded(deps, subject, connection))
  const credentials = { ...input, ...signIn?.credentials }
  // The first post-connect request also proves the credentials, and the probe request may need what it finds.
  const canProbe =
    connection &&
    !connection.scheme.manifest.post_connect &&
    probeRequestOf(toolkit, connection) !== undefined
  const identity = canProbe ? await probe(deps, { ...subject, toolkit, config, credentials }) : undefined
  const grant = {
    kind,
    replacesAll: true,
    credentials,
    expiresAt: signIn?.expiresAt ?? null,
    scopes: null,
    step: 0,
    isFromProvider: false,
  }
  const target = { project: deps, projectId, account: row, kind, config, toolkit }
  const outcome = await completeConnection(
    { ...target, browser, browserHash: browser.hash, grant, identity },
    {},
  )
  return flowPage(outcome, 'form')
}
