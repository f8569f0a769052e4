import type { JsonObject } from './shared-schemas.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }
const text = (mediaType: string): JsonObject => ({ [mediaType]: { schema: { type: 'string' } } })

/** What the server answers beside the API: for load balancers, collectors and readers. No version, no key. */
export const SYSTEM_PATHS: Readonly<Record<string, JsonObject>> = {
  '/healthz': {
    get: read('system.health', 'Whether the process runs', {
      200: { description: 'It runs.', content: JSON_OBJECT },
    }),
  },
  '/readyz': {
    get: read('system.ready', 'Whether the server can take calls', {
      200: { description: 'It can: the database answers and the catalogue is loaded.', content: JSON_OBJECT },
      503: { description: 'Not now: it starts, stops, or lacks its database.', content: JSON_OBJECT },
    }),
  },
  '/metrics': {
    get: read('system.metrics', 'Measurements in the Prometheus text format', {
      200: { description: 'Counters, gauges and histograms.', content: text('text/plain') },
    }),
  },
  '/openapi.json': {
    get: {
      ...read('system.openapi', 'This document', {
        200: { description: 'OpenAPI 3.1.', content: JSON_OBJECT },
      }),
      parameters: [
        {
          name: 'api',
          in: 'query',
          description: 'Only this version of the API.',
          schema: { type: 'string', enum: ['v3', 'v3.1'] },
        },
      ],
    },
  },
  '/reference': {
    get: read('system.reference', 'The API reference as a page', {
      200: { description: 'The page.', content: text('text/html') },
    }),
  },
}

function read(operationId: string, summary: string, responses: JsonObject): JsonObject {
  return { operationId, tags: ['system'], summary, security: [], responses }
}
