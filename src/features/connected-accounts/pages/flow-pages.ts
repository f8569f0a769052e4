import { callbackUrlWith } from '../authorization-flow/callback-url.ts'
import type { FlowOutcome, HasAccount, RejectionReason } from '../authorization-flow/context.ts'
import type { FlowFailure } from '../authorization-flow/failure.ts'
import type { AuthorizationFlowRow } from '../authorization-flow/flow-store.ts'
import type { AccountDeps } from '../deps.ts'
import type { KnownIdentity } from '../identity/identity.ts'
import { type PageText, text } from './language/index.ts'
import {
  EXPIRED_LINK,
  messageOutcome,
  MISSING_FORM_COOKIE,
  NO_FLOW_IN_BROWSER,
  type PageOutcome,
  SEVERAL_FLOWS_IN_BROWSER,
  STATE_MISSING,
  UNKNOWN_LINK,
  WRONG_BROWSER,
  WRONG_REDIRECT_URI,
} from './page-outcome.ts'
import { toolkitLabel } from './toolkit-label.ts'
import { connectedIdentityText } from './wording/connected-identity.ts'
import { explainProviderError, NOT_AVAILABLE } from './wording/provider-errors.ts'

/** How the browser came. A visit can be redirected; a form is followed by a page (see `interstitialPage`). */
export type RequestKind = 'visit' | 'form'

/** Seconds until the page asks again whether the provider has confirmed the connection. */
const POLL_SECONDS = 3

const REJECTION_PAGES: Readonly<Record<RejectionReason, PageOutcome>> = {
  state_missing: STATE_MISSING,
  state_unknown: UNKNOWN_LINK,
  flow_expired: EXPIRED_LINK,
  wrong_browser: WRONG_BROWSER,
  wrong_redirect_uri: WRONG_REDIRECT_URI,
  no_flow_in_browser: NO_FLOW_IN_BROWSER,
  several_flows_in_browser: SEVERAL_FLOWS_IN_BROWSER,
  form_token_missing: MISSING_FORM_COOKIE,
}

/** Renders the end of a flow as a page or a redirect. */
export async function flowPage(outcome: FlowOutcome, request: RequestKind): Promise<PageOutcome> {
  switch (outcome.kind) {
    case 'rejected':
      return REJECTION_PAGES[outcome.reason]
    case 'too_late':
      return EXPIRED_LINK
    case 'code_pending':
      return codePendingPage(outcome.subject, outcome.flow)
    case 'choice_required': {
      // A form may be redirected to a page of this server.
      const url = choicePageUrl(outcome.subject.project, outcome.pendingId)
      return { kind: 'redirect', url, browser: outcome.browser }
    }
    case 'confirmation_required':
      return confirmationPage(outcome.subject, outcome.url, request)
    case 'connected':
      return connectedPage(outcome.subject, outcome.identity, request)
    case 'failed':
      return failedPage(outcome.subject, outcome.failure, request)
  }
}

export const choicePageUrl = ({ publicUrl }: AccountDeps, id: string): string => `${publicUrl}/choose/${id}`

/** Asks again automatically until the provider has sent the code by webhook. */
async function codePendingPage(
  { project, projectId, account }: HasAccount,
  flow: AuthorizationFlowRow,
): Promise<PageOutcome> {
  const toolkit = toolkitLabel(project, account)
  return messageOutcome(200, {
    tone: 'plain',
    title: text('flow.waiting', { app: toolkit.name }),
    text: text('flow.waiting_text', { app: toolkit.name }),
    toolkit,
    branding: await project.branding(projectId),
    continueTo: {
      url: `${project.publicUrl}/api/v3/s/${flow.short_id}/end`,
      label: text('flow.check_again'),
      afterSeconds: POLL_SECONDS,
    },
  })
}

const BACK_TO_APPLICATION = {
  text: text('flow.going_back'),
  label: text('flow.back'),
}

function confirmationPage(
  { project, projectId, account }: HasAccount,
  url: string,
  request: RequestKind,
): Promise<PageOutcome> | PageOutcome {
  if (request === 'visit') return { kind: 'redirect', url }
  const toolkit = toolkitLabel(project, account)
  return interstitialPage(project, projectId, {
    ...BACK_TO_APPLICATION,
    title: text('flow.almost_done'),
    url,
    toolkit,
  })
}

async function connectedPage(
  { project, projectId, account }: HasAccount,
  identity: KnownIdentity | undefined,
  request: RequestKind,
): Promise<PageOutcome> {
  const toolkit = toolkitLabel(project, account)
  const title = text('flow.connected', { app: toolkit.name })
  const url =
    account.callback_url &&
    callbackUrlWith(account.callback_url, { status: 'success', connected_account_id: account.id })
  if (url && request === 'visit') return { kind: 'redirect', url }
  if (url)
    return interstitialPage(project, projectId, { ...BACK_TO_APPLICATION, title, url, toolkit, tone: 'good' })
  return messageOutcome(200, {
    tone: 'good',
    title,
    text: connectedIdentityText(identity),
    toolkit,
    branding: await project.branding(projectId),
  })
}

async function failedPage(
  { project, projectId, account, kind, connection }: HasAccount,
  failure: FlowFailure,
  request: RequestKind,
): Promise<PageOutcome> {
  const { code, text: providerText } = failure
  const toolkit = toolkitLabel(project, account)
  const url =
    account.callback_url &&
    callbackUrlWith(account.callback_url, {
      status: 'failed',
      connected_account_id: account.id,
      error: code,
    })
  if (url && request === 'visit') return { kind: 'redirect', url }
  if (url)
    return interstitialPage(project, projectId, {
      ...BACK_TO_APPLICATION,
      title: text('flow.not_connected', { app: toolkit.name }),
      url,
      toolkit,
      tone: 'bad',
    })
  const explanation = explainProviderError(failure, {
    app: toolkit.name,
    redirectUri: () => connection?.redirectUri ?? project.callbackUrl,
  })
  const stillWorks = kind === 'reconnect' && account.status === 'ACTIVE'
  return messageOutcome(200, {
    tone: 'bad',
    ...explanation,
    text: [...explanation.text, ...(stillWorks ? [text('flow.keeps_working')] : [])],
    detail: {
      label: text(code === NOT_AVAILABLE ? 'flow.what_is_missing' : 'flow.provider_message'),
      text: providerText,
    },
    toolkit,
    branding: await project.branding(projectId),
  })
}

/** The page between a form of this server and the provider. */
export const providerPage = (
  deps: AccountDeps,
  projectId: string,
  toolkit: { slug: string; name: string },
  url: string,
): Promise<PageOutcome> =>
  interstitialPage(deps, projectId, {
    title: text('flow.to_provider', { app: toolkit.name }),
    text: text('flow.to_provider_text', { app: toolkit.name }),
    url,
    label: text('continue_to', { app: toolkit.name }),
    toolkit,
  })

interface Interstitial {
  title: PageText
  text: PageText
  url: string
  label: PageText
  toolkit: { slug: string; name: string }
  tone?: 'good' | 'bad' | 'plain'
}

/**
 * A page that continues to another URL automatically. It is no redirect, because browsers check the redirects
 * of a form, and all that follow at the provider, against the content security policy of the page with the
 * form; the hosts that a provider redirects through are unknown.
 */
async function interstitialPage(
  deps: AccountDeps,
  projectId: string,
  { url, toolkit, tone = 'plain', ...page }: Interstitial,
): Promise<PageOutcome> {
  return messageOutcome(200, {
    tone,
    title: page.title,
    text: page.text,
    toolkit,
    branding: await deps.branding(projectId),
    continueTo: { url, label: page.label },
  })
}
