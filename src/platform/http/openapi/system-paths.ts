import type { JsonObject } from './shared-schemas.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }
const text = (mediaType: string): JsonObject => ({ [mediaType]: { schema: { type: 'string' } } })

/**
 * Operations outside of the API: for load balancers, collectors and readers. They have no version and no key.
 */
export const SYSTEM_PATHS: Readonly<Record<string, JsonObject>> = {
  '/healthz': {
    get: read('system.health', 'Check that the process runs', 'Returns 200 while the process runs.', {
      200: { description: 'The process runs.', content: JSON_OBJECT },
    }),
  },
  '/readyz': {
    get: read(
      'system.ready',
      'Check that the server accepts calls',
      'Returns 200 when the database is available and the toolkits are loaded, otherwise 503.',
      {
        200: { description: 'The server accepts calls.', content: JSON_OBJECT },
        503: {
          description: 'The server is starting or stopping, or its database is not available.',
          content: JSON_OBJECT,
        },
      },
    ),
  },
  '/metrics': {
    get: read('system.metrics', 'Read the metrics', 'Returns metrics in the Prometheus text format.', {
      200: { description: 'Counters, gauges and histograms.', content: text('text/plain') },
    }),
  },
  '/openapi.json': {
    get: {
      ...read('system.openapi', 'Read this document', 'Returns the OpenAPI 3.1 document of the server.', {
        200: { description: 'OpenAPI 3.1.', content: JSON_OBJECT },
      }),
      parameters: [
        {
          name: 'api',
          in: 'query',
          description: 'Describe only this version of the API. Default: all versions.',
          schema: { type: 'string', enum: ['v3', 'v3.1'] },
        },
      ],
    },
  },
  '/reference': {
    get: read('system.reference', 'Open the API reference', 'Returns the API reference as a page.', {
      200: { description: 'The page.', content: text('text/html') },
    }),
  },
}

function read(operationId: string, summary: string, description: string, responses: JsonObject): JsonObject {
  return { operationId, tags: ['system'], summary, description, security: [], responses }
}
