import { ErrorEnvelope } from '../../../contract/common.ts'
import { API_VERSIONS, type ApiVersion, type Route } from '../../../contract/route.ts'
import { TAGS } from '../../../contract/tags.ts'
import { sharedErrorResponses } from './error-responses.ts'
import { describeOperation, groupOf, pathTemplate, SECURITY_SCHEMES } from './operation.ts'
import { type JsonObject, sharedSchemas } from './shared-schemas.ts'
import { SYSTEM_PATHS } from './system-paths.ts'

export interface OpenApiOptions {
  /** URL at which clients reach the server, without a slash at the end. */
  publicUrl: string
  /** Versions of the API to describe. Default: all. */
  versions?: readonly ApiVersion[]
  /** Converts a schema to the spelling of the wire. */
  brand?(schema: object): object
}

const HEADERS = {
  RequestId: {
    description: 'Id of the request. `error.request_id` and the log of the server contain it too.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before the next call.', schema: { type: 'integer' } },
}

/** Returns the OpenAPI 3.1 document of the routes. */
export function openApiDocument(
  routes: readonly Route[],
  { publicUrl, versions = API_VERSIONS, brand = (schema) => schema }: OpenApiOptions,
): JsonObject {
  const schemas = sharedSchemas()
  schemas.show(brand(ErrorEnvelope))
  const isOnly = versions.length === 1
  const paths: Record<string, JsonObject> = {}
  for (const version of versions) {
    for (const route of routes) {
      const path = (paths[`/api/${version}${pathTemplate(route.path)}`] ??= {})
      path[route.method.toLowerCase()] = describeOperation(route, {
        version,
        isOnly,
        publicUrl,
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
        'Integrations for AI agents: toolkits and tools, the accounts of your users, and the execution of ' +
        'tools with them.',
    },
    servers: [{ url: publicUrl }],
    tags: describeTags(routes),
    paths: { ...paths, ...SYSTEM_PATHS },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: sharedErrorResponses(),
      schemas: schemas.components,
    },
  }
}

function describeTags(routes: readonly Route[]): JsonObject[] {
  const names = [...new Set([...routes.map(groupOf), 'system'])]
  return names.map((name) => ({ name, description: TAGS[name] }))
}
