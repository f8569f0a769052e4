import Fastify, { type FastifyInstance } from 'fastify'
import { ApiError } from '../api-error.ts'

const REQUEST_TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 1_024

/** Creates an HTTP server without the API, for the few endpoints that monitoring reads on a port of their own. */
export function createMonitoringServer(): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
  })
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ApiError
      ? reply.code(error.status).send({ error: error.message })
      : reply.code(500).send({ error: 'An internal error occurred.' }),
  )
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'This port has /healthz, /readyz and /metrics only.' }),
  )
  return app
}
