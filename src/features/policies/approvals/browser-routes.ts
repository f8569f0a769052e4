import type { FastifyInstance } from 'fastify'
import type { CatalogOf } from '../../../catalog/index.ts'
import type { Choice } from '../../../contract/policies/index.ts'
import { API_VERSIONS } from '../../../contract/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { Logger } from '../../../platform/log.ts'
import {
  sendPage,
  type Browser,
  formToken,
  readBrowserCookie,
  messageOutcome,
  MISSING_FORM_COOKIE,
  imageOriginsOf,
  type PageOutcome,
  type PageTheme,
  rememberBrowser,
  acceptFormBodies,
  text,
  UNKNOWN_LINK,
} from '../../connected-accounts/index.ts'
import { verifyDecision } from '../../webhooks/index.ts'
import { renderApprovalPage } from './approval-page.ts'
import { APPROVAL_SCRIPT } from './page-script.ts'
import { type ApprovalRow, find, findOrigin } from './store.ts'
import { type ApprovalDeps, decideApproval, decryptArguments } from './service.ts'
import { readApprovalToken } from './approval-link.ts'

export interface ApprovalPageDeps extends ApprovalDeps {
  catalogOf: CatalogOf
  clock: Clock
  log: Logger
  branding(
    projectId: string,
  ): Promise<{ displayName: string | null; logoUrl: string | null; theme?: PageTheme }>
}

const DECISION_BYTES_MAX = 4_096
const CHOICES: readonly string[] = ['allow_once', 'allow_session', 'deny'] satisfies Choice[]

/**
 * Registers the approval page, and the endpoint for decisions by webhook receivers. Neither uses an API key: the URL of
 * the page contains a token, and the message of a receiver is signed.
 */
export function approvalBrowserRoutes(app: FastifyInstance, deps: ApprovalPageDeps): void {
  app.get<{ Params: { token: string } }>('/approve/:token', async (request, reply) =>
    sendPage(
      reply,
      deps,
      await showApprovalPage(deps, request.params.token, rememberBrowser(request, reply, deps)),
    ),
  )
  app.register(async (forms) => {
    acceptFormBodies(forms)
    forms.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
      '/approve/:token',
      async ({ params, headers, body = {} }, reply) =>
        sendPage(
          reply,
          deps,
          await submitDecision(deps, params.token, readBrowserCookie(headers.cookie, deps.publicUrl), body),
        ),
    )
  })
  app.register(async (hooks) => {
    // The signature covers the exact bytes of the body, so no parser may change them.
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: DECISION_BYTES_MAX },
      (_request, text, done) => done(null, text),
    )
    for (const version of API_VERSIONS) {
      hooks.post<{ Body: string | undefined }>(
        `/api/${version}/approvals/answer`,
        async ({ headers, body = '' }) => receiveWebhookDecision(deps, headers, body),
      )
    }
  })
}

const decidedPage = ({ status }: Pick<ApprovalRow, 'status'>): PageOutcome =>
  messageOutcome(410, {
    tone: 'plain',
    title: text(status === 'expired' ? 'approval.expired' : 'approval.decided'),
    text: text(
      status === 'expired'
        ? 'approval.expired_text'
        : status === 'denied'
          ? 'approval.was_denied'
          : 'approval.was_allowed',
    ),
  })

async function openApproval(
  { db, encryptor }: ApprovalPageDeps,
  token: string,
): Promise<ApprovalRow | PageOutcome> {
  const link = readApprovalToken(encryptor, token)
  const row = link && (await find(db, link.projectId, link.id))
  return !row ? UNKNOWN_LINK : row.status === 'pending' ? row : decidedPage(row)
}

async function showApprovalPage(
  deps: ApprovalPageDeps,
  token: string,
  browser: Browser,
): Promise<PageOutcome> {
  const row = await openApproval(deps, token)
  if ('kind' in row) return row
  const catalog = await deps.catalogOf(row.project_id)
  const { displayName, logoUrl, theme } = await deps.branding(row.project_id)
  const page = {
    row,
    arguments: decryptArguments(deps.encryptor, row) ?? {},
    toolkit: { slug: row.toolkit_slug, name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug },
    toolName: catalog.tool(row.tool_slug, row.version)?.tool.name ?? null,
    projectName: displayName,
    projectLogo: logoUrl,
    theme,
    now: deps.clock.now(),
    publicUrl: deps.publicUrl,
    token,
    formToken: formToken(browser, token),
  }
  const imageOrigins = imageOriginsOf(deps.publicUrl, logoUrl)
  return {
    kind: 'html',
    status: 200,
    render: (translator) => renderApprovalPage(page, translator),
    imageOrigins,
    accentColor: theme?.accentColor,
    script: APPROVAL_SCRIPT,
  }
}

/**
 * Handles the form of the approval page. The form token is bound to the browser's cookie, so a page of another site
 * cannot submit the form.
 */
async function submitDecision(
  deps: ApprovalPageDeps,
  token: string,
  browser: Browser | undefined,
  { form_token: submittedFormToken = '', decision = '' }: Readonly<Record<string, string>>,
): Promise<PageOutcome> {
  if (!browser || !timingSafeEqualText(submittedFormToken, formToken(browser, token)))
    return MISSING_FORM_COOKIE
  const row = await openApproval(deps, token)
  if ('kind' in row) return row
  if (!(row.choices as readonly string[]).includes(decision)) return showApprovalPage(deps, token, browser)
  try {
    await decideApproval(deps, row.project_id, row.id, decision as Choice, 'link')
  } catch (error) {
    if (!(error instanceof ApiError) || error.slug !== 'Approval_NotPending') throw error
    return decidedPage((await find(deps.db, row.project_id, row.id)) ?? { status: 'expired' })
  }
  const isDenied = decision === 'deny'
  return messageOutcome(200, {
    tone: 'plain',
    title: text(isDenied ? 'approval.denied' : 'approval.allowed'),
    text: text(isDenied ? 'approval.denied_text' : 'approval.allowed_text'),
  })
}

/**
 * Handles the decision of a webhook receiver of `approval.requested`. The message is signed with the approval secret of
 * a subscription to which the approval was sent. Without a valid signature the response does not reveal whether the
 * approval exists.
 */
async function receiveWebhookDecision(
  deps: ApprovalPageDeps,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): Promise<{ approval_id: string; status: string }> {
  const { approval_id: id, decision } = readWebhookDecision(body)
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const { project_id: projectId, event_id: eventId } = (await findOrigin(deps.db, id)) ?? {}
  const subscriptionId =
    projectId &&
    eventId &&
    (await verifyDecision(
      deps.db,
      deps.encryptor,
      { projectId, eventId },
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      },
      deps.clock.now(),
    ))
  if (!projectId || !subscriptionId)
    throw new ApiError(
      'Approval_SignatureRefused',
      'The signature is invalid. Sign the message with the approval_secret of a webhook subscription that received ' +
        'the approval.',
    )
  const { status } = await decideApproval(deps, projectId, id, decision, `webhook:${subscriptionId}`)
  return { approval_id: id, status }
}

/** @throws ApiError 400 */
function readWebhookDecision(body: string): { approval_id: string; decision: Choice } {
  let parsed: unknown
  try {
    parsed = parseBoundedJson(body)
  } catch {
    /* reported below */
  }
  const { approval_id: id, decision } = (
    typeof parsed === 'object' && parsed !== null ? parsed : {}
  ) as Record<string, unknown>
  if (
    typeof id !== 'string' ||
    !/^apr_[A-Za-z0-9]{1,64}$/.test(id) ||
    typeof decision !== 'string' ||
    !CHOICES.includes(decision)
  )
    throw badRequest(
      `Error in payload: must be {"approval_id":"apr_…","decision":"…"} with one of ${CHOICES.join(', ')}`,
    )
  return { approval_id: id, decision: decision as Choice }
}
