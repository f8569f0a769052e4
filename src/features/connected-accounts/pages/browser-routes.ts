import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS } from '../../../contract/route.ts'
import { handleCallback, handleCallbackWithoutState } from '../authorization-flow/callback.ts'
import { showChoicePage, submitChoice } from '../authorization-flow/choose-resource.ts'
import { showFlowStatus } from '../authorization-flow/flow-status.ts'
import { confirmFlow, openShortLink } from '../authorization-flow/short-link.ts'
import { receiveWebhookCode } from '../authorization-flow/webhook-code.ts'
import { showLinkPage, submitLinkForm } from '../connect-links/link-page.ts'
import type { SharedAccountDeps } from '../deps.ts'
import {
  type Browser,
  browserCookie,
  readBrowserCookie,
  readOrCreateBrowser,
  registerCookies,
} from './browser-cookie.ts'
import { connectScriptRoute } from './connect-script.ts'
import { flowPage } from './flow-pages.ts'
import { acceptFormBodies } from './form-body.ts'
import { ENGLISH, languageCookie, languageOf, requestedLanguage, translatorFor } from './language/index.ts'
import type { PageOutcome } from './page-outcome.ts'
import { messagePageResponse, pageHeaders, PRIVATE_PAGE_HEADERS } from './page-response.ts'

/** Ends the redirect URI of an auth config; no toolkit slug has this form, which has upper-case letters. */
const AUTH_CONFIG_ID = /^ac_[A-Za-z0-9]{12}$/
const WEBHOOK_BYTES_MAX = 262_144

type Query = Record<string, unknown>
type Form = Record<string, string> | undefined

/** Registers the routes that browsers visit. They need no API key: each URL has its own secret. */
export function browserRoutes(app: FastifyInstance, deps: SharedAccountDeps): void {
  registerCookies(app)
  connectScriptRoute(app)
  for (const version of API_VERSIONS) flowRoutes(app, deps, version)
  app.get<{ Params: { token: string }; Querystring: Query }>('/link/:token', async (request, reply) => {
    const browser = rememberBrowser(request, reply, deps)
    const { sign_in: method } = request.query
    const chosen = typeof method === 'string' ? method : undefined
    return sendPage(reply, deps, await showLinkPage(deps, request.params.token, browser, chosen))
  })
  app.get<{ Params: { id: string } }>('/choose/:id', async (request, reply) =>
    sendPage(reply, deps, await showChoicePage(deps, request.params.id, browserOf(request, deps))),
  )
  app.register(async (forms) => formRoutes(forms, deps))
  app.register(async (webhooks) => webhookRoutes(webhooks, deps))
}

const browserOf = (
  request: FastifyRequest,
  { publicUrl }: Pick<SharedAccountDeps, 'publicUrl'>,
): Browser | undefined => readBrowserCookie(request.headers.cookie, publicUrl)

function flowRoutes(app: FastifyInstance, deps: SharedAccountDeps, version: string): void {
  app.get<{ Params: { short: string }; Querystring: Query }>(
    `/api/${version}/s/:short`,
    async (request, reply) => {
      const { params, query, headers } = request
      // A program is redirected immediately, and so is a user who has confirmed the page.
      const asPage = query['continue'] === undefined && (headers.accept ?? '').includes('text/html')
      reply.header('vary', 'accept')
      const browser = rememberBrowser(request, reply, deps)
      return sendPage(reply, deps, await openShortLink(deps, params.short, browser, asPage))
    },
  )
  app.get<{ Params: { short: string } }>(`/api/${version}/s/:short/end`, async (request, reply) =>
    sendPage(reply, deps, await showFlowStatus(deps, request.params.short, browserOf(request, deps))),
  )
  app.get<{ Querystring: Query }>(`/api/${version}/toolkits/auth/callback`, async (request, reply) => {
    const outcome = await handleCallback(
      { parameters: request.query, browser: browserOf(request, deps) },
      deps,
    )
    return sendPage(reply, deps, await flowPage(outcome, 'visit'))
  })
  app.get<{ Params: { toolkit: string }; Querystring: Query }>(
    `/api/${version}/toolkits/auth/callback/:toolkit`,
    async (request, reply) => {
      const { toolkit } = request.params
      const context = { parameters: request.query, browser: browserOf(request, deps) }
      const outcome = AUTH_CONFIG_ID.test(toolkit)
        ? await handleCallback({ ...context, authConfigId: toolkit }, deps)
        : await handleCallbackWithoutState({ ...context, toolkitSlug: toolkit }, deps)
      return sendPage(reply, deps, await flowPage(outcome, 'visit'))
    },
  )
}

/** Registers the routes to which providers send codes. The signature is over the raw bytes of the body. */
function webhookRoutes(webhooks: FastifyInstance, deps: SharedAccountDeps): void {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES_MAX },
    (_request, bytes, done) => done(null, bytes),
  )
  for (const version of API_VERSIONS) {
    webhooks.post<{ Params: { auth_config_id: string }; Body: Buffer | undefined }>(
      `/api/${version}/toolkits/auth/webhook/:auth_config_id`,
      async (request, reply) => {
        const isComplete = await receiveWebhookCode(deps, request.params.auth_config_id, {
          body: request.body ?? Buffer.alloc(0),
          headers: request.headers,
        })
        return reply
          .code(isComplete ? 200 : 202)
          .headers(PRIVATE_PAGE_HEADERS)
          .send({ success: true })
      },
    )
  }
}

/** Registers the routes for forms. They accept no JSON, so that other sites cannot send any. */
function formRoutes(forms: FastifyInstance, deps: SharedAccountDeps): void {
  acceptFormBodies(forms)
  forms.post<{ Params: { token: string }; Body: Form }>('/link/:token', async (request, reply) => {
    const { params, body = {} } = request
    return sendPage(reply, deps, await submitLinkForm(deps, params.token, browserOf(request, deps), body))
  })
  forms.post<{ Params: { id: string }; Body: Form }>('/choose/:id', async (request, reply) => {
    const { params, body = {} } = request
    return sendPage(reply, deps, await submitChoice(deps, params.id, browserOf(request, deps), body))
  })
  for (const version of API_VERSIONS) {
    forms.post<{ Params: { short: string }; Body: Form }>(
      `/api/${version}/s/:short`,
      async (request, reply) => {
        const { params, body = {} } = request
        return sendPage(reply, deps, await confirmFlow(deps, params.short, browserOf(request, deps), body))
      },
    )
    // The provider sends a form (OAuth 2.0 Form Post Response Mode) from another site, so the cookie is
    // missing. The request after the redirect has it.
    for (const path of ['', '/:auth_config_id']) {
      const route = `/api/${version}/toolkits/auth/callback`
      forms.post<{ Params: { auth_config_id?: string }; Body: Form }>(
        `${route}${path}`,
        async (request, reply) => {
          const { access_token: _access, id_token: _id, ...params } = request.body ?? {}
          const { auth_config_id: id } = request.params
          const end = id === undefined ? '' : `/${encodeURIComponent(id)}`
          const url = `${deps.publicUrl}${route}${end}?${new URLSearchParams(params)}`
          return reply.headers(PRIVATE_PAGE_HEADERS).redirect(url, 303)
        },
      )
    }
  }
}

/** Reads the browser of a request, and sets its cookie. */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Pick<SharedAccountDeps, 'publicUrl'>,
): Browser {
  const browser = readOrCreateBrowser(request.headers.cookie, publicUrl)
  reply.header('set-cookie', browserCookie(browser, publicUrl))
  return browser
}

/** Sends a page or a redirect to a browser. */
export function sendPage(
  reply: FastifyReply,
  { publicUrl, log }: Pick<SharedAccountDeps, 'publicUrl' | 'log'>,
  outcome: PageOutcome,
) {
  const { request } = reply
  const chosen = requestedLanguage(request)
  if (chosen) reply.header('set-cookie', languageCookie(chosen, publicUrl.startsWith('https:')))
  const translator = translatorFor(languageOf(request))
  if (outcome.kind === 'redirect') {
    if (outcome.browser) reply.header('set-cookie', browserCookie(outcome.browser, publicUrl))
    return reply.headers(PRIVATE_PAGE_HEADERS).redirect(outcome.url, 302)
  }
  if (outcome.kind === 'html')
    return reply
      .code(outcome.status)
      .headers(pageHeaders(outcome.imageOrigins, outcome.formTargets, outcome.accentColor, outcome.script))
      .send(outcome.render(translator))
  const { status, message } = outcome
  const isFailure = status >= 400 || message.tone === 'bad'
  const { id, routeOptions } = request
  if (isFailure)
    log.info(
      { request_id: id, url: routeOptions.url, status, page: ENGLISH.text(message.title) },
      'failure page sent',
    )
  const requestId = isFailure ? id : undefined
  const { html, headers } = messagePageResponse(message, publicUrl, requestId, translator)
  return reply.code(status).headers(headers).send(html)
}
