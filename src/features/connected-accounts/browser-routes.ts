import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { API_VERSIONS } from '../../contract/route.ts'
import { finishFlow, openShortLink, type Outcome } from './callback.ts'
import type { AccountDeps } from './deps.ts'
import { messagePage, PAGE_STYLE } from './page.ts'

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Addresses that browsers visit, not programs: they hold no key, so each carries its own secret. */
export function browserRoutes(app: FastifyInstance, deps: AccountDeps): void {
  for (const version of API_VERSIONS) {
    app.get<{ Params: { short: string } }>(`/api/${version}/s/:short`, async (request, reply) => answer(reply, await openShortLink(deps, request.params.short)))
    app.get<{ Querystring: Record<string, unknown> }>(`/api/${version}/toolkits/auth/callback`, async (request, reply) => answer(reply, await finishFlow(deps, request.query)))
  }
}

function answer(reply: FastifyReply, outcome: Outcome) {
  // Nothing of the address, which held a code or a state, goes on to the next page; nothing is kept.
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
  if (outcome.kind === 'redirect') return reply.redirect(outcome.url, 302)
  return reply.code(outcome.status).headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }).send(messagePage(outcome.title, outcome.text))
}
