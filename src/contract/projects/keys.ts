import { Type } from 'typebox'
import { Described, Enum, exampleId, Id } from '../common.ts'
import { AREAS, route } from '../route.ts'
import { ApiKey, ProjectId, ScopedApiKey } from './schemas.ts'

const Permissions = Type.Object(
  Object.fromEntries(
    Object.entries(AREAS).map(([area, levels]) => [
      area,
      Type.Optional(
        Type.Array(Enum(levels as readonly ('read' | 'write')[]), {
          maxItems: 2,
          description: `Levels for the area \`${area}\`.`,
        }),
      ),
    ]),
  ),
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Levels by permission area. They cannot be changed after creation.',
  },
)

export const regenerateProjectKey = route({
  id: 'projects.regenerateApiKey',
  method: 'POST',
  path: '/org/owner/project/:nano_id/regenerate_api_key',
  summary: 'Replace all API keys of a project',
  description:
    'Creates a new API key and revokes every earlier key of the project at once. Store the key, ' +
    'because later responses mask it, except in v3.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: Type.Object({ nano_id: Described(ProjectId, 'Id of the project, `proj_…`.') }),
  reply: Type.Object({
    api_key: Described(ApiKey, 'The new key.'),
    message: Type.String({ description: 'Summary of what changed.' }),
  }),
  errors: ['Project_NotFound'],
})

export const createProjectKey = route({
  id: 'projectKeys.create',
  method: 'POST',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'Create an API key',
  description:
    'Creates a further API key, optionally limited to permissions and IP addresses. Permissions ' +
    'cannot be changed later. Store the key, because later responses mask it, ' +
    'except in v3.',
  example: {
    params: { nano_id: exampleId('proj') },
    body: { name: 'agent', permissions: { tools: ['read'], tool_execution: ['write'] } },
    needs: 'a project',
  },
  audience: 'organization',
  params: Type.Object({ nano_id: Described(ProjectId, 'Id of the project, `proj_…`.') }),
  body: Type.Object({
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Name of the key. Default: two random words.',
      }),
    ),
    permissions: Type.Optional(
      Described(
        Permissions,
        'Levels by permission area. Default: an unrestricted key. They cannot be changed later.',
      ),
    ),
    allowed_ips: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        maxItems: 100,
        description: 'IP addresses and CIDR ranges that may use the key. Default: all.',
      }),
    ),
  }),
  status: 201,
  reply: ScopedApiKey,
  errors: ['Project_NotFound'],
})

export const listProjectKeys = route({
  id: 'projectKeys.list',
  method: 'GET',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'List the API keys of a project',
  description: 'Returns the API keys of a project. The keys are masked.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: Type.Object({ nano_id: Described(ProjectId, 'Id of the project, `proj_…`.') }),
  reply: Type.Object({
    items: Type.Array(ScopedApiKey, { description: 'API keys of the project, masked.' }),
  }),
  errors: ['Project_NotFound'],
})

export const deleteProjectKey = route({
  id: 'projectKeys.delete',
  method: 'DELETE',
  path: '/org/owner/project/:nano_id/api_keys/:key_id',
  summary: 'Revoke an API key',
  description: 'Revokes one API key. Calls with it fail at once.',
  example: { params: { nano_id: exampleId('proj'), key_id: exampleId('key') }, needs: 'an API key' },
  audience: 'organization',
  params: Type.Object({
    nano_id: Described(ProjectId, 'Id of the project, `proj_…`.'),
    key_id: Described(Id('key'), 'Id of the key, `key_…`.'),
  }),
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
  }),
  errors: ['Project_NotFound', 'APIKey_NotFound'],
})
