import { Type } from '../schema-type.ts'
import { Described, exampleId, Id } from '../common.ts'
import { ORGANIZATION_AREAS, route } from '../route.ts'
import { keyDraftFields, rotationFields } from './key-fields.ts'
import { ScopedApiKey } from './schemas.ts'

// An extension of this server. These operations have no permission area: a key could otherwise give itself more.
const params = Type.Object({ key_id: Described(Id('key'), 'Id of the key, `key_…`.') })

export const createOrganizationKey = route({
  id: 'orgKeys.create',
  method: 'POST',
  path: '/org/api_keys',
  summary: 'Create an API key of the organization',
  description:
    'An extension of this server. Creates a further key of the organization, optionally limited to permissions, IP ' +
    'addresses and a time. A key with `api_keys: write` can create keys without restrictions in every project. ' +
    'Store the key: later responses mask it.',
  example: { body: { name: 'usage-report', permissions: { usage: ['read'] } } },
  audience: 'organization',
  body: Type.Object(keyDraftFields(ORGANIZATION_AREAS)),
  status: 201,
  reply: ScopedApiKey,
})

export const listOrganizationKeys = route({
  id: 'orgKeys.list',
  method: 'GET',
  path: '/org/api_keys',
  summary: 'List the API keys of the organization',
  description: 'An extension of this server. Returns the API keys of the organization, masked.',
  audience: 'organization',
  reply: Type.Object({
    items: Type.Array(ScopedApiKey, { description: 'API keys of the organization, masked, oldest first.' }),
  }),
})

export const rotateOrganizationKey = route({
  id: 'orgKeys.rotate',
  method: 'POST',
  path: '/org/api_keys/:key_id/rotate',
  summary: 'Replace an API key of the organization',
  description:
    'An extension of this server. Creates a key with the name, permissions and IP addresses of an existing one, ' +
    'which expires after `overlap_seconds`. Store the new key: later responses mask it.',
  example: {
    params: { key_id: exampleId('key') },
    body: { overlap_seconds: 86_400 },
    needs: 'a key of the organization',
  },
  audience: 'organization',
  params,
  body: Type.Object(rotationFields),
  status: 201,
  reply: ScopedApiKey,
  errors: ['APIKey_NotFound', 'APIKey_AlreadyReplaced'],
})

export const deleteOrganizationKey = route({
  id: 'orgKeys.delete',
  method: 'DELETE',
  path: '/org/api_keys/:key_id',
  summary: 'Revoke an API key of the organization',
  description:
    'An extension of this server. Revokes one API key of the organization. Calls with it fail at once. The last key ' +
    'without restrictions cannot be revoked: rotate it.',
  example: { params: { key_id: exampleId('key') }, needs: 'a second key of the organization' },
  audience: 'organization',
  params,
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
  }),
  errors: ['APIKey_NotFound', 'APIKey_LastOrganizationKey'],
})
