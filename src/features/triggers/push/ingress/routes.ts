import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createCache } from '../../../../platform/cache.ts'
import type { ApiError } from '../../../../platform/http/api-error.ts'
import type { PushDeps } from '../deps.ts'
import { IngressCapacity, type IngressPlace } from './capacity.ts'
import { readDeliveryBody, tooManyDeliveries } from './read-body.ts'
import { receiveDelivery, unverifiedDelivery } from './receive.ts'
import { type Receiver, receiversAtToken, receiversOfProject } from './receivers.ts'

/** Requests of one IP address to one URL in a minute. */
const REQUESTS_PER_MINUTE_MAX = 6_000
const MINUTE_SECONDS = 60
const MINUTE_MS = MINUTE_SECONDS * 1_000
const COUNTERS_MAX = 20_000
/** After this time a place may be free. */
const RETRY_SECONDS = 1

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

/** A request that has a place, and who may receive its delivery. */
interface Admission {
  receivers: readonly Receiver[]
  place: IngressPlace
}

/**
 * The URLs that applications call. They need no API key: each delivery is verified. The URL is looked up before the
 * body is read, so that only requests to URLs that exist use capacity, and only that of their project.
 */
export function ingressRoutes(app: FastifyInstance, deps: PushDeps): void {
  const rate = new IngressRate()
  const capacity = new IngressCapacity()
  const admissions = new WeakMap<FastifyRequest, Admission>()

  async function admit(request: FastifyRequest<Ingress>, reply: FastifyReply, find: FindReceivers) {
    reply.headers(HEADERS)
    const { toolkit, token } = request.params
    if (rate.isExceeded(request)) throw rejectRequest(reply, MINUTE_SECONDS)
    const receivers = await find(deps, toolkit.toLowerCase(), token)
    const [receiver] = receivers
    if (!receiver) throw unverifiedDelivery()
    const place = capacity.open(receiver.projectId)
    if (!place) throw rejectRequest(reply, RETRY_SECONDS)
    reply.raw.once('close', () => place.close())
    // A connection that closed during the look-up has no further `close` event.
    if (reply.raw.destroyed) place.close()
    admissions.set(request, { receivers, place })
  }

  void app.register(async (ingress) => {
    ingress.removeAllContentTypeParsers()
    ingress.addContentTypeParser('*', (request: FastifyRequest, stream: IncomingMessage) => {
      const admission = admissions.get(request)
      // Requests without a place were rejected before their body.
      if (!admission) return Promise.reject(unverifiedDelivery())
      return readDeliveryBody(stream, admission.place)
    })
    for (const [url, find] of ROUTES) {
      ingress.route<Ingress>({
        method: ['GET', 'HEAD', 'POST', 'PUT'],
        url,
        onRequest: (request, reply) => admit(request, reply, find),
        handler: (request, reply) => handle(deps, request, reply, admissions.get(request)?.receivers ?? []),
      })
    }
  })
}

function rejectRequest(reply: FastifyReply, retryAfterSeconds: number): ApiError {
  reply.headers({ 'retry-after': String(retryAfterSeconds), connection: 'close' })
  return tooManyDeliveries(retryAfterSeconds)
}

async function handle(
  deps: PushDeps,
  { method, body, headers, raw }: FastifyRequest<Ingress>,
  reply: FastifyReply,
  receivers: readonly Receiver[],
) {
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

/** Counts the requests of an IP address to a URL. */
class IngressRate {
  readonly #counters = createCache<string, { count: number }>({ max: COUNTERS_MAX, ttl: MINUTE_MS })

  isExceeded({ ip, url }: FastifyRequest<Ingress>): boolean {
    const key = `${ip} ${url.split('?')[0]}`
    const counter = this.#counters.get(key) ?? { count: 0 }
    if (++counter.count === 1) this.#counters.set(key, counter)
    return counter.count > REQUESTS_PER_MINUTE_MAX
  }
}
