import { Type } from '../schema-type.ts'
import { route } from '../route.ts'

export const reportLeakedKeys = route({
  audience: 'public',
  id: 'projectKeys.reportLeaked',
  method: 'POST',
  path: '/api_key_revocation',
  audit: false,
  summary: 'Revoke leaked API keys',
  description:
    'Revokes API keys of projects and organizations that were found in public. Needs no credential: who has a key ' +
    'may end it. The response is the same for texts that are no keys. The last key of an organization without ' +
    'restrictions stays.',
  example: { body: { api_keys: ['ak_0123456789abcdefghij'] } },
  body: Type.Object({
    api_keys: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      minItems: 1,
      maxItems: 100,
      description: 'The keys that were found.',
    }),
  }),
  reply: Type.Object({ received: Type.Boolean({ description: 'Always true.' }) }),
})
