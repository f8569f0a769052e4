import { canBeAudited } from '../audit/audited-handler.ts'
import type { ApiVersion, Audience, Route } from '../../../contract/route.ts'
import { errorResponses } from './error-responses.ts'
import { describesDeprecated, type JsonObject, type SharedSchemas } from './shared-schemas.ts'

/** The parts from which the description of one operation in one version is made. */
export interface OperationContext {
  version: ApiVersion
  /** Whether the document has only this version. */
  isOnly: boolean
  publicUrl: string
  schemas: SharedSchemas
  /** Converts a schema to the spelling of the wire. */
  brand(schema: object): object
}

export const SECURITY_SCHEMES = {
  ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'API key of a project.' },
  OrgApiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'x-org-api-key',
    description: 'API key of the organization, for its projects and their keys.',
  },
}

const SECURITY: Record<Audience, JsonObject[]> = {
  project: [{ ApiKeyAuth: [] }],
  organization: [{ OrgApiKeyAuth: [] }],
  public: [],
}

/** Returns the first part of an operation id: the tag of the operation. */
export const groupOf = (route: Route): string => route.id.split('.')[0] as string
/** Returns a path with `{name}` in place of `:name`. */
export const pathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Returns the OpenAPI description of one operation in one version. */
export function describeOperation(route: Route, context: OperationContext): JsonObject {
  const { version, isOnly } = context
  const parameters = [
    ...pathParameters(route, context),
    ...queryParameters(route, context),
    ...headerParameters(route),
  ]
  return {
    // Ids are unique in the whole document. A document of one version has the plain ids.
    operationId: isOnly ? route.id : `${version.replace('.', '_')}.${route.id}`,
    tags: [groupOf(route)],
    summary: route.summary,
    description: describeRoute(route),
    ...(route.deprecated?.[version] ? { deprecated: true } : {}),
    ...(route.permission ? { 'x-permission': { ...route.permission } } : {}),
    ...(canBeAudited(route) ? { 'x-audited': true } : {}),
    ...(route.neverRetry ? { 'x-never-retry': true } : {}),
    security: SECURITY[route.audience],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route, context),
    responses: { ...successResponses(route, context), ...errorResponses(route) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlCommand(route, context) }],
  }
}

function describeRoute({ description, audience, permission, example: { needs } }: Route): string {
  return [
    description,
    audience === 'organization'
      ? permission
        ? `Requires an API key of the organization with the permission \`${permission.area}: ${permission.level}\`.`
        : 'Requires an API key of the organization without restrictions.'
      : permission
        ? `Requires an API key with the permission \`${permission.area}: ${permission.level}\`.`
        : audience === 'project' && 'Requires an API key without restrictions.',
    needs && `The example needs ${needs}.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function successResponses(route: Route, { schemas, brand }: OperationContext): JsonObject {
  const response = (description: string) => ({
    description,
    headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
    content: {
      'application/json': { schema: schemas.show(brand(route.reply)) },
      ...(route.streams ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
    },
  })
  return {
    [route.status]: response(route.status === 201 ? 'Created.' : 'Success.'),
    ...(route.otherStatus && { [route.otherStatus.status]: response(route.otherStatus.when) }),
  }
}

interface ObjectSchema {
  properties?: Record<string, object & { description?: string; type?: unknown }>
  required?: string[]
}

function pathParameters({ params, example }: Route, { schemas, brand }: OperationContext): JsonObject[] {
  const { properties = {} } = brand(params) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: schemas.show(schema),
    ...(example.params?.[name] === undefined ? {} : { example: example.params[name] }),
  }))
}

function queryParameters({ query, example }: Route, { schemas, brand }: OperationContext): JsonObject[] {
  const { properties = {}, required = [] } = brand(query) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isList = schema.type === 'array'
    const value = example.query?.[name]
    return {
      name,
      in: 'query',
      description,
      ...(describesDeprecated({ description }) ? { deprecated: true } : {}),
      ...(required.includes(name) ? { required: true } : {}),
      ...(isList ? { style: 'form', explode: false } : {}),
      schema: schemas.show(schema),
      ...(value === undefined
        ? {}
        : { example: isList && typeof value === 'string' ? value.split(',') : value }),
    }
  })
}

const headerParameters = ({ headers = {} }: Route): JsonObject[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))

function requestBody(route: Route, { schemas, brand }: OperationContext): JsonObject {
  const body = brand(route.body) as ObjectSchema
  const takesAnything = !('type' in body)
  const takesNothing = 'type' in body && Object.keys(body.properties ?? {}).length === 0
  if (takesNothing || (takesAnything && (route.method === 'GET' || route.method === 'DELETE'))) return {}
  const example = bodyExample(route, brand)
  return {
    requestBody: {
      required: (body.required ?? []).length > 0,
      content: {
        'application/json': { schema: schemas.show(body), ...(example === undefined ? {} : { example }) },
      },
    },
  }
}

/** Returns the example body in the spelling of the wire. Branding a schema converts its examples too. */
function bodyExample({ body, example }: Route, brand: OperationContext['brand']): unknown {
  if (example.body === undefined) return undefined
  const { examples } = brand({ ...body, examples: [example.body] }) as { examples: [unknown] }
  return examples[0]
}

/** Returns the example request as a command for the shell. */
function curlCommand(route: Route, { publicUrl, version, brand }: OperationContext): string {
  const { method, path, audience, example } = route
  const body = bodyExample(route, brand)
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(example.params?.[name] ?? `{${name}}`),
  )
  const query = new URLSearchParams(
    Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const key =
    audience === 'organization' ? ['x-org-api-key: $PATCHBAY_ORG_API_KEY'] : ['x-api-key: $PATCHBAY_API_KEY']
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    shellQuote(`${publicUrl}/api/${version}${filled}${query && `?${query}`}`),
    ...(audience === 'public' ? [] : key.map((header) => `-H "${header}"`)),
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${shellQuote(JSON.stringify(body))}`]),
  ].join(' ')
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
