import { GrantRejected, ProviderTrouble, type ConnectionContext } from '../../auth-schemes/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { homeOf } from './addresses.ts'
import type { Progress } from './arrival.ts'
import type { Browser } from './browser-cookie.ts'
import type { AccountDeps } from './deps.ts'
import type { FlowKind } from './flow-store.ts'
import { asReason, REASONS } from './lifecycle.ts'
import { openVal, valContext } from './open.ts'
import { EXPIRED_LINK, message, type Outcome } from './outcome.ts'
import { connectedWords } from './pages/identity-words.ts'
import { explain, NOT_AVAILABLE } from './provider-errors.ts'
import { withoutFailure } from './reopen.ts'
import { type AccountRow, move } from './store.ts'

export interface Failure {
  code: string
  text: string
}

/** A visit may be redirected; what follows a form goes on from a page (see `onward`). */
export type After = 'visit' | 'form'
interface End {
  after: After
  kind: FlowKind
}

export const toolkitOf = ({ catalog }: AccountDeps, row: Pick<AccountRow, 'toolkit_slug'>) => ({
  slug: row.toolkit_slug,
  name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug,
})

export const choiceAddress = ({ publicUrl }: AccountDeps, id: string): string => `${publicUrl}/choose/${id}`

/** The page, or the address, that the user is led to. */
export async function ledOn(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  progress: Progress,
  after: After,
  browser?: Browser,
): Promise<Outcome> {
  if (progress.at === 'late') return EXPIRED_LINK
  // To a page of this server, which a form may be redirected to.
  if (progress.at === 'choice')
    return { kind: 'redirect', url: choiceAddress(deps, progress.id), ...(browser ? { browser } : {}) }
  const toolkit = toolkitOf(deps, row)
  const title = `${toolkit.name} is connected`
  const url =
    progress.at === 'confirmation'
      ? progress.url
      : row.callback_url && homeOf(row.callback_url, { status: 'success', connected_account_id: row.id })
  if (url && after === 'visit') return { kind: 'redirect', url }
  if (url)
    return onward(deps, projectId, {
      title: progress.at === 'confirmation' ? 'Almost done' : title,
      text: 'Taking you back to the application.',
      url,
      label: 'Back to the application',
      toolkit,
      tone: progress.at === 'confirmation' ? 'plain' : 'good',
    })
  return message(200, {
    tone: 'good',
    title,
    text: connectedWords(progress.at === 'connected' ? progress.known : undefined),
    toolkit,
    branding: await deps.branding(projectId),
  })
}

/** It came to nothing: the account says so, unless it works with older credentials, and the user reads why. */
export async function failed(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  setup: ConnectionContext | undefined,
  failure: Failure,
  end: End,
): Promise<Outcome> {
  const { code, text } = failure
  const val = { ...withoutFailure(openVal(deps.encryptor, row)), error: code, error_description: text }
  await move(deps.db, projectId, row.id, 'fail', {
    status_reason: asReason(`${REASONS.callbackFailed}: ${text}`),
    val: deps.encryptor.encrypt(val, valContext(row.id)),
  })
  return failurePage(deps, projectId, row, setup, failure, end)
}

/** What of it the user reads. */
export async function failurePage(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  setup: ConnectionContext | undefined,
  failure: Failure,
  { after, kind }: End,
): Promise<Outcome> {
  const { code, text } = failure
  const toolkit = toolkitOf(deps, row)
  const home =
    row.callback_url &&
    homeOf(row.callback_url, { status: 'failed', connected_account_id: row.id, error: code })
  if (home && after === 'visit') return { kind: 'redirect', url: home }
  if (home)
    return onward(deps, projectId, {
      title: `${toolkit.name} is not connected`,
      text: 'Taking you back to the application.',
      url: home,
      label: 'Back to the application',
      toolkit,
      tone: 'bad',
    })
  const words = explain(failure, { app: toolkit.name, address: () => setup?.redirectUri ?? deps.callbackUrl })
  const detail = { label: code === NOT_AVAILABLE ? 'What is missing' : 'What the provider said', text }
  const stands =
    kind === 'reconnect' && row.status === 'ACTIVE'
      ? ' The connection that was there works on as before.'
      : ''
  return message(200, {
    tone: 'bad',
    ...words,
    text: `${words.text}${stands}`,
    detail,
    toolkit,
    branding: await deps.branding(projectId),
  })
}

/** What is told of what ends a walk; undefined for faults of ours. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof GrantRejected) return { code: error.code, text: error.message }
  if (error instanceof ProviderTrouble) return { code: 'token_exchange_failed', text: error.message }
  // What the walk was begun with is gone, such as the operator's credentials.
  return error instanceof ApiError && error.status < 500
    ? { code: NOT_AVAILABLE, text: error.message }
    : undefined
}

/**
 * A page that goes on by itself. Not a redirect: browsers hold the redirects of a form, and all that follow them at the provider, against the
 * policy of the page with the form, and nobody knows through which hosts a provider leads.
 */
export async function onward(
  deps: AccountDeps,
  projectId: string,
  {
    title,
    text,
    url,
    label,
    toolkit,
    tone = 'plain',
  }: {
    title: string
    text: string
    url: string
    label: string
    toolkit: { slug: string; name: string }
    tone?: 'good' | 'bad' | 'plain'
  },
): Promise<Outcome> {
  return message(200, {
    tone,
    title,
    text,
    toolkit,
    branding: await deps.branding(projectId),
    onward: { url, label },
  })
}
