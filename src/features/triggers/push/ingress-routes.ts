import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { HookDeps } from './deps.ts'
import { receive } from './ingress.ts'
import { type Receiver, receiversAt, receiversOf } from './receivers.ts'

const BODY_BYTES_MAX = 5 * 1024 * 1024
/** Requests of one peer to one address in a minute. */
const REQUESTS_A_MINUTE = 6_000
const MINUTE_MS = 60_000
const KNOWN_MAX = 20_000
/** Bodies that are held at once: with the largest ones some 200 MB. */
const UNDER_WAY_MAX = 40

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

/** Addresses at which applications call: they hold no key, so each delivery proves itself. */
export function ingressRoutes(app: FastifyInstance, deps: HookDeps): void {
  const counts = new LRUCache<string, { count: number }>({ max: KNOWN_MAX, ttl: MINUTE_MS })
  let underWay = 0

  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    )
    hooks.addHook('onRequest', (request, reply, done) => {
      reply.headers(HEADERS)
      const flood = isFlood(request)
      if (flood || underWay >= UNDER_WAY_MAX) {
        reply.header('retry-after', flood ? '60' : '1')
        return done(new ApiError('WebhookIngress_TooMany', 'Too many deliveries at once.'))
      }
      underWay++
      reply.raw.once('close', () => {
        underWay--
      })
      done()
    })
    for (const [url, find] of [
      ['/api/v3.1/webhook_ingress/:toolkit/:address/trigger_event', receiversAt],
      ['/api/v3/trigger_instances/:toolkit/:address/handle', receiversOf],
    ] as const) {
      hooks.route<Address>({
        method: ['GET', 'HEAD', 'POST', 'PUT'],
        url,
        handler: (request, reply) => answer(request, reply, find),
      })
    }
  })

  interface Address {
    Params: { toolkit: string; address: string }
    Body: Buffer | undefined
  }
  async function answer(
    request: FastifyRequest<Address>,
    reply: FastifyReply,
    find: (deps: HookDeps, toolkit: string, address: string) => Promise<Receiver[]>,
  ) {
    const { method, params, body, headers, raw } = request
    const receivers = await find(deps, params.toolkit.toLowerCase(), params.address)
    const {
      status,
      headers: own,
      body: text,
    } = await receive(deps, receivers, {
      method,
      url: `${deps.publicUrl}${raw.url}`,
      headers,
      raw: body ?? Buffer.alloc(0),
    })
    return reply
      .code(status)
      .headers(own)
      .serializer((value: unknown) => value as string)
      .send(text)
  }

  function isFlood({ ip, url }: FastifyRequest): boolean {
    const key = `${ip} ${url.split('?')[0]}`
    const known = counts.get(key) ?? { count: 0 }
    if (++known.count === 1) counts.set(key, known)
    return known.count > REQUESTS_A_MINUTE
  }
}
