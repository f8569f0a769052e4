import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../../platform/http/api-error.ts'
import type { PushDeps } from '../deps.ts'
import { receiveDelivery } from './receive.ts'
import { type Receiver, receiversAtToken, receiversOfProject } from './receivers.ts'

const BODY_BYTES_MAX = 5 * 1024 * 1024
/** Requests of one IP address to one URL in a minute. */
const REQUESTS_PER_MINUTE_MAX = 6_000
const MINUTE_MS = 60_000
const COUNTERS_MAX = 20_000
/** Concurrent requests: with the largest bodies they use some 200 MB. */
const CONCURRENT_REQUESTS_MAX = 40

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
}

interface Ingress {
  Params: { toolkit: string; token: string }
  Body: Buffer | undefined
}
type FindReceivers = (deps: PushDeps, toolkit: string, token: string) => Promise<Receiver[]>

const ROUTES: readonly (readonly [url: string, find: FindReceivers])[] = [
  ['/api/v3.1/webhook_ingress/:toolkit/:token/trigger_event', receiversAtToken],
  ['/api/v3/trigger_instances/:toolkit/:token/handle', receiversOfProject],
]

/** The URLs that applications call. They need no API key: each delivery is verified. */
export function ingressRoutes(app: FastifyInstance, deps: PushDeps): void {
  const limiter = new IngressLimiter()
  void app.register(async (ingress) => {
    ingress.removeAllContentTypeParsers()
    ingress.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    )
    ingress.addHook('onRequest', (request, reply, done) => {
      reply.headers(HEADERS)
      const retryAfter = limiter.add(request, reply)
      if (retryAfter === undefined) return done()
      reply.header('retry-after', String(retryAfter))
      done(new ApiError('WebhookIngress_TooMany', `Too many deliveries. Send it again in ${retryAfter} s.`))
    })
    for (const [url, find] of ROUTES) {
      ingress.route<Ingress>({
        method: ['GET', 'HEAD', 'POST', 'PUT'],
        url,
        handler: (request, reply) => handle(deps, request, reply, find),
      })
    }
  })
}

async function handle(
  deps: PushDeps,
  { method, params, body, headers, raw }: FastifyRequest<Ingress>,
  reply: FastifyReply,
  find: FindReceivers,
) {
  const receivers = await find(deps, params.toolkit.toLowerCase(), params.token)
  const response = await receiveDelivery(deps, receivers, {
    method,
    url: `${deps.publicUrl}${raw.url}`,
    headers,
    raw: body ?? Buffer.alloc(0),
  })
  return reply
    .code(response.status)
    .headers(response.headers)
    .serializer((value: unknown) => value as string)
    .send(response.body)
}

class IngressLimiter {
  readonly #counters = new LRUCache<string, { count: number }>({ max: COUNTERS_MAX, ttl: MINUTE_MS })
  #concurrent = 0

  /** Adds a request. Returns after how many seconds it may be sent again, if there are too many. */
  add(request: FastifyRequest, reply: FastifyReply): number | undefined {
    if (this.#isOverRate(request)) return 60
    if (this.#concurrent >= CONCURRENT_REQUESTS_MAX) return 1
    this.#concurrent++
    reply.raw.once('close', () => {
      this.#concurrent--
    })
    return undefined
  }

  #isOverRate({ ip, url }: FastifyRequest): boolean {
    const key = `${ip} ${url.split('?')[0]}`
    const counter = this.#counters.get(key) ?? { count: 0 }
    if (++counter.count === 1) this.#counters.set(key, counter)
    return counter.count > REQUESTS_PER_MINUTE_MAX
  }
}
