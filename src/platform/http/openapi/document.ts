import { ErrorEnvelope } from '../../../contract/common.ts'
import { API_VERSIONS, type ApiVersion, type Audience, type Route } from '../../../contract/route.ts'
import { errorResponses, sharedErrorResponses } from './error-responses.ts'
import { type JsonObject, type SharedSchemas, sharedSchemas } from './shared-schemas.ts'
import { SYSTEM_PATHS } from './system-paths.ts'

export interface OpenApiOptions {
  /** Where clients reach the server, without a slash at the end. */
  publicUrl: string
  /** Versions of the API to describe; all unless told otherwise. */
  versions?: readonly ApiVersion[]
  /** Rewrites a schema to the spelling used at the wire. */
  brand?(schema: object): object
}

/** What one version of one operation is made from. */
interface Making {
  version: ApiVersion
  isOnly: boolean
  schemas: SharedSchemas
  brand(schema: object): object
}

const SECURITY: Record<Audience, JsonObject[]> = {
  project: [{ ApiKeyAuth: [] }],
  organization: [{ OrgApiKeyAuth: [] }],
  public: [],
}

/** Describes the routes as an OpenAPI 3.1 document. */
export function openApiDocument(
  routes: readonly Route[],
  { publicUrl, versions = API_VERSIONS, brand = (schema) => schema }: OpenApiOptions,
): JsonObject {
  const schemas = sharedSchemas()
  schemas.show(brand(ErrorEnvelope))
  const paths: Record<string, JsonObject> = {}
  for (const version of versions) {
    for (const route of routes) {
      const path = (paths[`/api/${version}${template(route.path)}`] ??= {})
      path[route.method.toLowerCase()] = operation(route, {
        version,
        isOnly: versions.length === 1,
        schemas,
        brand,
      })
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Patchbay API',
      version: versions.map((version) => version.slice(1)).join(', '),
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      description:
        'Integrations for AI agents: toolkits and tools, the accounts of your users, and the execution of tools with them.',
    },
    servers: [{ url: publicUrl }],
    tags: [...tagsOf(routes), 'system'].map((name) => ({ name })),
    paths: { ...paths, ...SYSTEM_PATHS },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: sharedErrorResponses(),
      schemas: schemas.components,
    },
  }
}

const SECURITY_SCHEMES = {
  ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Key of a project.' },
  OrgApiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'x-org-api-key',
    description: 'Key of the organization: its projects and their keys.',
  },
}
const HEADERS = {
  RequestId: {
    description: 'Id of the request, the one that `error.request_id` repeats.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before the next call.', schema: { type: 'integer' } },
}

function operation(route: Route, making: Making): JsonObject {
  const { version, isOnly } = making
  const parameters = [...pathParameters(route, making), ...queryParameters(route, making)]
  return {
    // Unique in the whole document: a document of one version has the plain ids.
    operationId: isOnly ? route.id : `${version.replace('.', '_')}.${route.id}`,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.isPlanned
      ? { description: 'Planned: answers 501 in this release.', 'x-status': 'planned' }
      : {}),
    ...(route.permission ? { 'x-permission': { ...route.permission } } : {}),
    ...(route.neverRetry ? { 'x-never-retry': true } : {}),
    security: SECURITY[route.audience],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route, making),
    responses: { ...success(route, making), ...errorResponses(route) },
  }
}

function success(route: Route, { schemas, brand }: Making): JsonObject {
  if (route.isPlanned) return {}
  const answer = (description: string) => ({
    description,
    headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
    content: {
      'application/json': { schema: schemas.show(brand(route.reply)) },
      ...(route.streams ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    },
  })
  return {
    [route.status]: answer(route.status === 201 ? 'Created.' : 'Done.'),
    ...(route.otherStatus && { [route.otherStatus.status]: answer(route.otherStatus.when) }),
  }
}

interface ObjectSchema {
  properties?: Record<string, object & { description?: string }>
  required?: string[]
}

function pathParameters(route: Route, { schemas, brand }: Making): JsonObject[] {
  const { properties = {} } = brand(route.params) as ObjectSchema
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.show(schema),
  }))
}

function queryParameters(route: Route, { schemas, brand }: Making): JsonObject[] {
  const { properties = {}, required = [] } = brand(route.query) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description ? { description } : {}),
    ...(required.includes(name) ? { required: true } : {}),
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: schemas.show(schema),
  }))
}

function requestBody(route: Route, { schemas, brand }: Making): JsonObject {
  const body = brand(route.body) as ObjectSchema
  const takesAnything = !('type' in body)
  const takesNothing = 'type' in body && Object.keys(body.properties ?? {}).length === 0
  if (takesNothing || (takesAnything && (route.method === 'GET' || route.method === 'DELETE'))) return {}
  return {
    requestBody: {
      required: (body.required ?? []).length > 0,
      content: { 'application/json': { schema: schemas.show(body) } },
    },
  }
}

const template = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
const tagOf = (route: Route): string => route.id.split('.')[0] as string
const tagsOf = (routes: readonly Route[]): string[] => [...new Set(routes.map(tagOf))]
