import type { FastifyInstance } from 'fastify'
import type { CatalogOf } from '../../../catalog/index.ts'
import type { Choice } from '../../../contract/approvals.ts'
import { API_VERSIONS } from '../../../contract/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { Logger } from '../../../platform/log.ts'
import {
  answerPage,
  type Browser,
  formToken,
  readBrowserCookie,
  messageOutcome,
  MISSING_FORM_COOKIE,
  imageOriginsOf,
  type PageOutcome,
  rememberBrowser,
  acceptFormBodies,
  UNKNOWN_LINK,
} from '../../connected-accounts/index.ts'
import { signedBy } from '../../webhooks/index.ts'
import { approvalPage } from './approval-page.ts'
import { type ApprovalRow, find, projectOf } from './store.ts'
import { type ApprovalDeps, decideApproval, openArguments } from './service.ts'
import { readLink } from './approval-link.ts'

export interface ApprovalPageDeps extends ApprovalDeps {
  catalogOf: CatalogOf
  clock: Clock
  log: Logger
  branding(projectId: string): Promise<{ displayName: string | null; logoUrl: string | null }>
}

const ANSWER_BYTES_MAX = 4_096
const CHOICES: readonly string[] = ['allow_once', 'allow_session', 'deny'] satisfies Choice[]

/** Where people and receivers of webhooks decide: they hold no key, so each address or message carries its own proof. */
export function approvalBrowserRoutes(app: FastifyInstance, deps: ApprovalPageDeps): void {
  app.get<{ Params: { pass: string } }>('/approve/:pass', async (request, reply) =>
    answerPage(reply, deps, await show(deps, request.params.pass, rememberBrowser(request, reply, deps))),
  )
  app.register(async (forms) => {
    acceptFormBodies(forms)
    forms.post<{ Params: { pass: string }; Body: Record<string, string> | undefined }>(
      '/approve/:pass',
      async ({ params, headers, body = {} }, reply) =>
        answerPage(reply, deps, await take(deps, params.pass, readBrowserCookie(headers.cookie), body)),
    )
  })
  app.register(async (hooks) => {
    // The signature is over the bytes as they came, so nothing reads them before.
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: ANSWER_BYTES_MAX },
      (_request, text, done) => done(null, text),
    )
    for (const version of API_VERSIONS) {
      hooks.post<{ Body: string | undefined }>(
        `/api/${version}/approvals/answer`,
        async ({ headers, body = '' }) => takeAnswer(deps, headers, body),
      )
    }
  })
}

const ended = ({ status }: Pick<ApprovalRow, 'status'>): PageOutcome =>
  messageOutcome(410, {
    tone: 'plain',
    title: status === 'expired' ? 'This request has expired' : 'This was decided already',
    text:
      status === 'expired'
        ? 'Nothing was sent. If the call is still wanted, have it made again, and you are asked again.'
        : `It was ${status === 'denied' ? 'refused' : 'allowed'}. There is nothing left to do here.`,
  })

async function opened({ db, encryptor }: ApprovalPageDeps, pass: string): Promise<ApprovalRow | PageOutcome> {
  const link = readLink(encryptor, pass)
  const row = link && (await find(db, link.projectId, link.id))
  return !row ? UNKNOWN_LINK : row.status === 'pending' ? row : ended(row)
}

async function show(deps: ApprovalPageDeps, pass: string, browser: Browser): Promise<PageOutcome> {
  const row = await opened(deps, pass)
  if ('kind' in row) return row
  const catalog = await deps.catalogOf(row.project_id)
  const { displayName, logoUrl } = await deps.branding(row.project_id)
  const html = approvalPage({
    row,
    arguments: openArguments(deps.encryptor, row) ?? {},
    toolkit: { slug: row.toolkit_slug, name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug },
    toolName: catalog.tool(row.tool_slug, row.version)?.tool.name ?? null,
    projectName: displayName,
    projectLogo: logoUrl,
    publicUrl: deps.publicUrl,
    pass,
    formToken: formToken(browser, pass),
  })
  return { kind: 'html', status: 200, html, imageOrigins: imageOriginsOf(deps.publicUrl, logoUrl) }
}

/** The form of that page was sent. A foreign page can send a form too, but does not know what the browser's cookie was shown with. */
async function take(
  deps: ApprovalPageDeps,
  pass: string,
  browser: Browser | undefined,
  { form_token: token = '', decision = '' }: Readonly<Record<string, string>>,
): Promise<PageOutcome> {
  if (!browser || !timingSafeEqualText(token, formToken(browser, pass))) return MISSING_FORM_COOKIE
  const row = await opened(deps, pass)
  if ('kind' in row) return row
  if (!(row.choices as readonly string[]).includes(decision)) return show(deps, pass, browser)
  try {
    await decideApproval(deps, row.project_id, row.id, decision as Choice, 'link')
  } catch (error) {
    if (!(error instanceof ApiError) || error.slug !== 'Approval_NotPending') throw error
    return ended((await find(deps.db, row.project_id, row.id)) ?? { status: 'expired' })
  }
  return messageOutcome(
    200,
    decision === 'deny'
      ? { tone: 'plain', title: 'Refused', text: 'The call is not made. You can close this page.' }
      : {
          tone: 'plain',
          title: 'Allowed',
          text: 'Go back and have the call made again: it runs now, exactly as you saw it.',
        },
  )
}

/** A receiver of `approval.requested` answers it, signed as the event was. Without a good signature nothing tells whether the approval exists. */
async function takeAnswer(
  deps: ApprovalPageDeps,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): Promise<{ approval_id: string; status: string }> {
  const { approval_id: id, decision } = read(body)
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const projectId = await projectOf(deps.db, id)
  const by =
    projectId &&
    (await signedBy(
      deps.db,
      deps.encryptor,
      projectId,
      'service.approval.requested',
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      },
      deps.clock.now(),
    ))
  if (!projectId || !by)
    throw new ApiError(
      'Approval_SignatureRefused',
      'The answer is not signed by a webhook subscription that was asked.',
    )
  const { status } = await decideApproval(deps, projectId, id, decision, `webhook:${by}`)
  return { approval_id: id, status }
}

/** @throws ApiError 400 */
function read(body: string): { approval_id: string; decision: Choice } {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
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
