import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id } from '../common.ts'
import { AREAS, route } from '../route.ts'
import { keyDraftFields, rotationFields } from './key-fields.ts'
import { ApiKey, ProjectParams, ScopedApiKey } from './schemas.ts'

const KeyParams = Type.Object({
  ...ProjectParams.properties,
  key_id: Described(Id('key'), 'Id of the key, `key_…`.'),
})

export const regenerateProjectKey = route({
  id: 'projects.regenerateApiKey',
  permission: { area: 'api_keys', level: 'write' },
  method: 'POST',
  path: '/org/owner/project/:nano_id/regenerate_api_key',
  summary: 'Replace all API keys of a project',
  description:
    'Creates a new API key and revokes every earlier key of the project at once. Store the key, ' +
    'because later responses mask it, except in v3.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: ProjectParams,
  reply: Type.Object({
    api_key: Described(ApiKey, 'The new key.'),
    message: Type.String({ description: 'Summary of what changed.' }),
  }),
  errors: ['Project_NotFound'],
})

export const createProjectKey = route({
  id: 'projectKeys.create',
  permission: { area: 'api_keys', level: 'write' },
  method: 'POST',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'Create an API key',
  description:
    'Creates a further API key, optionally limited to permissions, IP addresses and a time. They ' +
    'cannot be changed later. Store the key, because later responses mask it, ' +
    'except in v3.',
  example: {
    params: { nano_id: exampleId('proj') },
    body: { name: 'agent', permissions: { tools: ['read'], tool_execution: ['write'] } },
    needs: 'a project',
  },
  audience: 'organization',
  params: ProjectParams,
  body: Type.Object(keyDraftFields(AREAS)),
  status: 201,
  reply: ScopedApiKey,
  errors: ['Project_NotFound'],
})

export const rotateProjectKey = route({
  id: 'projectKeys.rotate',
  permission: { area: 'api_keys', level: 'write' },
  method: 'POST',
  path: '/org/owner/project/:nano_id/api_keys/:key_id/rotate',
  summary: 'Replace an API key, with a time in which both are valid',
  description:
    'An extension of this server. Creates a key with the name, permissions and IP addresses of an existing one, ' +
    'which expires after `overlap_seconds`. Store the new key: later responses mask it.',
  example: {
    params: { nano_id: exampleId('proj'), key_id: exampleId('key') },
    body: { overlap_seconds: 86_400 },
    needs: 'an API key',
  },
  audience: 'organization',
  params: KeyParams,
  body: Type.Object(rotationFields),
  status: 201,
  reply: ScopedApiKey,
  errors: ['Project_NotFound', 'APIKey_NotFound', 'APIKey_AlreadyReplaced'],
})
export type KeyRotation = Static<(typeof rotateProjectKey)['body']>

export const listProjectKeys = route({
  id: 'projectKeys.list',
  permission: { area: 'api_keys', level: 'read' },
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/org/owner/project/:nano_id/api_keys',
  summary: 'List the API keys of a project',
  description: 'Returns the API keys of a project. The keys are masked.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: ProjectParams,
  reply: Type.Object({
    items: Type.Array(ScopedApiKey, { description: 'API keys of the project, masked.' }),
  }),
  errors: ['Project_NotFound'],
})

export const deleteProjectKey = route({
  id: 'projectKeys.delete',
  permission: { area: 'api_keys', level: 'write' },
  method: 'DELETE',
  path: '/org/owner/project/:nano_id/api_keys/:key_id',
  summary: 'Revoke an API key',
  description: 'Revokes one API key. Calls with it fail at once.',
  example: { params: { nano_id: exampleId('proj'), key_id: exampleId('key') }, needs: 'an API key' },
  audience: 'organization',
  params: KeyParams,
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
  }),
  errors: ['Project_NotFound', 'APIKey_NotFound'],
})
