import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS } from '../../contract/route.ts'
import { anyBrowser, type Browser, cookieFor, knownBrowser } from './browser-cookie.ts'
import { finishFlow, openShortLink } from './callback.ts'
import type { AccountDeps } from './deps.ts'
import type { Outcome } from './outcome.ts'
import { originsOf, policyFor } from './pages/layout.ts'
import { messagePage } from './pages/message-page.ts'

/** Addresses that browsers visit, not programs: they hold no key, so each carries its own secret. */
export function browserRoutes(app: FastifyInstance, deps: AccountDeps): void {
  for (const version of API_VERSIONS) {
    app.get<{ Params: { short: string } }>(`/api/${version}/s/:short`, async (request, reply) => {
      const browser = remember(request, reply, deps)
      return answer(reply, deps, await openShortLink(deps, request.params.short, browser))
    })
    app.get<{ Querystring: Record<string, unknown> }>(`/api/${version}/toolkits/auth/callback`, async (request, reply) =>
      answer(reply, deps, await finishFlow(deps, request.query, knownBrowser(request.headers.cookie))))
  }
}

function remember(request: FastifyRequest, reply: FastifyReply, { publicUrl }: AccountDeps): Browser {
  const browser = anyBrowser(request.headers.cookie)
  reply.header('set-cookie', cookieFor(browser, publicUrl))
  return browser
}

function answer(reply: FastifyReply, { publicUrl }: AccountDeps, outcome: Outcome) {
  // Nothing of the address, which held a code or a state, goes on to the next page; nothing is kept.
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
  if (outcome.kind === 'redirect') return reply.redirect(outcome.url, 302)
  const page = outcome.kind === 'html' ? outcome
    : { html: messagePage(outcome.message, publicUrl), imageOrigins: originsOf(publicUrl, outcome.message.branding?.logoUrl) }
  return reply.code(outcome.status).headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyFor(page.imageOrigins) }).send(page.html)
}
