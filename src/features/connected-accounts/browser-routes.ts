import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS } from '../../contract/route.ts'
import { anyBrowser, type Browser, cookieFor, knownBrowser } from './browser-cookie.ts'
import { finishByWebhook, finishFlow, finishInBrowser, showEnd } from './callback.ts'
import { showChoice, takeChoice } from './choice.ts'
import type { SharedAccountDeps } from './deps.ts'
import { showLink, takeForm } from './link-page.ts'
import type { Outcome } from './outcome.ts'
import { messageReply, pageHeaders, PRIVATE } from './page-reply.ts'
import { confirmWalk, flowOf, openShortLink } from './short-link.ts'
import { takeWebhook } from './webhook.ts'

const FORM_BYTES_MAX = 65_536
const FORM_FIELDS_MAX = 200
const WEBHOOK_BYTES_MAX = 262_144

/** Addresses that browsers visit, not programs: they hold no key, so each carries its own secret. */
export function browserRoutes(app: FastifyInstance, deps: SharedAccountDeps): void {
  for (const version of API_VERSIONS) {
    app.get<{ Params: { short: string }; Querystring: Record<string, unknown> }>(
      `/api/${version}/s/:short`,
      async (request, reply) => {
        const { params, query, headers } = request
        // A program that follows the address is led on at once; so is a person who was told.
        const asPage = query['continue'] === undefined && (headers.accept ?? '').includes('text/html')
        reply.header('vary', 'accept')
        return answer(
          reply,
          deps,
          await openShortLink(deps, params.short, remember(request, reply, deps), asPage),
        )
      },
    )
    app.get<{ Querystring: Record<string, unknown> }>(
      `/api/${version}/toolkits/auth/callback`,
      async (request, reply) =>
        answer(reply, deps, await finishFlow(deps, request.query, knownBrowser(request.headers.cookie))),
    )
    app.get<{ Params: { short: string } }>(`/api/${version}/s/:short/end`, async (request, reply) =>
      answer(
        reply,
        deps,
        await showEnd(deps, await flowOf(deps, request.params.short), knownBrowser(request.headers.cookie)),
      ),
    )
    app.get<{ Params: { toolkit: string }; Querystring: Record<string, unknown> }>(
      `/api/${version}/toolkits/auth/callback/:toolkit`,
      async (request, reply) =>
        answer(
          reply,
          deps,
          await finishInBrowser(
            deps,
            request.params.toolkit,
            request.query,
            knownBrowser(request.headers.cookie),
          ),
        ),
    )
  }
  app.get<{ Params: { token: string } }>('/link/:token', async (request, reply) =>
    answer(reply, deps, await showLink(deps, request.params.token, remember(request, reply, deps))),
  )
  app.get<{ Params: { id: string } }>('/choose/:id', async (request, reply) =>
    answer(reply, deps, await showChoice(deps, request.params.id, knownBrowser(request.headers.cookie))),
  )
  app.register(async (forms) => formRoutes(forms, deps))
  app.register(async (hooks) => webhookRoutes(hooks, deps))
}

/** Where providers bring codes. The signature is over the bytes as they came, so nothing reads them before. */
function webhookRoutes(hooks: FastifyInstance, deps: SharedAccountDeps): void {
  hooks.removeAllContentTypeParsers()
  hooks.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES_MAX },
    (_request, bytes, done) => done(null, bytes),
  )
  for (const version of API_VERSIONS) {
    hooks.post<{ Params: { auth_config_id: string }; Body: Buffer | undefined }>(
      `/api/${version}/toolkits/auth/webhook/:auth_config_id`,
      async (request, reply) => {
        const finished = await takeWebhook(
          deps,
          request.params.auth_config_id,
          { body: request.body ?? Buffer.alloc(0), headers: request.headers },
          (stateHash, callback) => finishByWebhook(deps, stateHash, callback),
        )
        return reply
          .code(finished ? 200 : 202)
          .headers(PRIVATE)
          .send({ success: true })
      },
    )
  }
}

/** Routes that take forms, and nothing but forms: no other page can send JSON here. */
function formRoutes(forms: FastifyInstance, deps: SharedAccountDeps): void {
  takeForms(forms)
  forms.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
    '/link/:token',
    async (request, reply) =>
      answer(
        reply,
        deps,
        await takeForm(deps, request.params.token, knownBrowser(request.headers.cookie), request.body ?? {}),
      ),
  )
  forms.post<{ Params: { id: string }; Body: Record<string, string> | undefined }>(
    '/choose/:id',
    async (request, reply) =>
      answer(
        reply,
        deps,
        await takeChoice(deps, request.params.id, knownBrowser(request.headers.cookie), request.body ?? {}),
      ),
  )
  for (const version of API_VERSIONS) {
    forms.post<{ Params: { short: string }; Body: Record<string, string> | undefined }>(
      `/api/${version}/s/:short`,
      async (request, reply) =>
        answer(
          reply,
          deps,
          await confirmWalk(
            deps,
            request.params.short,
            knownBrowser(request.headers.cookie),
            request.body ?? {},
          ),
        ),
    )
    // A provider's page that sends a form (OAuth 2.0 Form Post Response Mode): from another site, so without our cookie. The visit that follows brings it.
    forms.post<{ Body: Record<string, string> | undefined }>(
      `/api/${version}/toolkits/auth/callback`,
      async (request, reply) => {
        const { access_token: _access, id_token: _id, ...params } = request.body ?? {}
        return reply
          .headers(PRIVATE)
          .redirect(
            `${deps.publicUrl}/api/${version}/toolkits/auth/callback?${new URLSearchParams(params)}`,
            303,
          )
      },
    )
  }
}

/** Bodies are forms, with names without a prototype, and nothing else. */
export function takeForms(forms: FastifyInstance): void {
  forms.removeAllContentTypeParsers()
  forms.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, text, done) => done(null, readForm(String(text))),
  )
}

/** Names without a prototype; of a name that comes twice the first counts. */
function readForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of [...new URLSearchParams(text)].slice(0, FORM_FIELDS_MAX)) form[name] ??= value
  return form
}

/** The browser of a visit; from now on it says who it is. */
export function remember(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Pick<SharedAccountDeps, 'publicUrl'>,
): Browser {
  const browser = anyBrowser(request.headers.cookie)
  reply.header('set-cookie', cookieFor(browser, publicUrl))
  return browser
}

/** Ends a browser's visit. */
export function answer(
  reply: FastifyReply,
  { publicUrl, log }: Pick<SharedAccountDeps, 'publicUrl' | 'log'>,
  outcome: Outcome,
) {
  if (outcome.kind === 'redirect' && outcome.browser)
    reply.header('set-cookie', cookieFor(outcome.browser, publicUrl))
  if (outcome.kind === 'redirect') return reply.headers(PRIVATE).redirect(outcome.url, 302)
  if (outcome.kind === 'html')
    return reply
      .code(outcome.status)
      .headers(pageHeaders(outcome.imageOrigins, outcome.formTargets))
      .send(outcome.html)
  const { status, message } = outcome
  const isFailure = status >= 400 || message.tone === 'bad'
  const { id, routeOptions } = reply.request
  if (isFailure)
    log.info(
      { request_id: id, url: routeOptions.url, status, page: message.title },
      'a browser was told what went wrong',
    )
  const { html, headers } = messageReply(message, publicUrl, isFailure ? id : undefined)
  return reply.code(status).headers(headers).send(html)
}
