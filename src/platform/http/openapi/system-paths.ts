import type { JsonObject } from './shared-schemas.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }
const text = (mediaType: string): JsonObject => ({ [mediaType]: { schema: { type: 'string' } } })

const API_VERSION: JsonObject = {
  name: 'api',
  in: 'query',
  description: 'Describe only this version of the API. Default: all versions.',
  schema: { type: 'string', enum: ['v3', 'v3.1'] },
}

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
        API_VERSION,
        {
          name: 'operation',
          in: 'query',
          description: 'Describe only the operation with this id, with the schemas that it needs.',
          schema: { type: 'string' },
        },
      ],
    },
  },
  '/openapi/operations.json': {
    get: {
      ...read(
        'system.operations',
        'List the operations',
        'Returns id, method, path and title of every operation.',
        {
          200: { description: 'The operations and their groups.', content: JSON_OBJECT },
        },
      ),
      parameters: [API_VERSION],
    },
  },
  '/llms.txt': {
    get: read(
      'system.llms',
      'List the documentation',
      'Returns the URL and summary of every page of the documentation.',
      {
        200: { description: 'Markdown, as llmstxt.org describes it.', content: text('text/plain') },
      },
    ),
  },
  '/docs/search.json': {
    get: {
      ...read(
        'system.searchDocumentation',
        'Search the documentation',
        'Returns up to 20 sections of the documentation.',
        {
          200: { description: 'The sections that contain every word.', content: JSON_OBJECT },
        },
      ),
      parameters: [
        {
          name: 'q',
          in: 'query',
          required: true,
          description: 'Words to find.',
          schema: { type: 'string', maxLength: 200 },
        },
      ],
    },
  },
  '/reference': {
    get: read(
      'system.reference',
      'Open the API reference',
      'Redirects to the API reference of the console; without the console, returns a page.',
      {
        200: { description: 'The page.', content: text('text/html') },
        302: { description: 'The page of the console.' },
      },
    ),
  },
}

function read(operationId: string, summary: string, description: string, responses: JsonObject): JsonObject {
  return { operationId, tags: ['system'], summary, description, security: [], responses }
}
