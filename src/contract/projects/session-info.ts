import { Type } from '../schema-type.ts'
import { Described, Enum, Nullable, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { ProjectFields } from './schemas.ts'

const SessionProject = Type.Object({
  auto_id: Type.Integer({ description: 'Numeric id of the project.' }),
  ...ProjectFields,
  nano_id: Type.String({ description: 'Id of the project, `proj_…`.' }),
  org: Type.Object(
    {
      id: Type.String({ description: 'Id of the organization, `org_…`.' }),
      name: Type.String({ description: 'Name of the organization.' }),
      plan: Type.String({ description: 'Plan of the organization.' }),
    },
    { description: 'Organization of the project.' },
  ),
})

export const readSessionInfo = route({
  id: 'session.info',
  method: 'GET',
  path: '/auth/session/info',
  summary: 'Read the project and key of this call',
  description:
    'Returns the project, the organization and the key that the call is made with. It is useful to ' +
    'check an API key.',
  audience: 'project',
  reply: Type.Object({
    project: Described(SessionProject, 'Project of the key.'),
    api_key: Type.Object(
      {
        auto_id: Type.Integer({ description: 'Numeric id of the key.' }),
        id: Type.String({ description: 'Id of the key.' }),
        name: Type.String({ description: 'Name of the key.' }),
        project_id: Type.String({ description: 'Id of the project, `proj_…`.' }),
        org_member_id: Type.String({ description: 'Id of the creator.' }),
        created_at: Described(Timestamp, 'When the key was created.'),
        updated_at: Described(Timestamp, 'When the key was last changed.'),
        deleted_at: Nullable(Type.String({ description: 'Always null: deleted keys cannot be used.' })),
        key: Type.String({ description: 'The key, masked to its last four characters.' }),
        deleted: Type.Boolean({ description: 'Always false.' }),
      },
      { description: 'Key that the call was made with.' },
    ),
    org_member: Type.Object(
      {
        id: Type.String({ description: 'Id of the creator.' }),
        email: Type.String({ description: 'E-mail address of the creator.' }),
        name: Type.String({ description: 'Name of the creator.' }),
        role: Type.String({ description: 'Role of the creator.' }),
      },
      { description: 'Creator of the key.' },
    ),
  }),
})

export const readNanoId = route({
  id: 'migration.getNanoid',
  method: 'GET',
  path: '/migration/get-nanoid',
  summary: 'Convert a legacy UUID to an id',
  description:
    'Returns the current id of a resource that was stored with a legacy UUID. A deleted resource ' +
    'returns `Migration_Gone`.',
  example: {
    query: { uuid: '1b2c3d4e-0000-4000-8000-000000000001', type: 'AUTH_CONFIG' },
    needs: 'a resource with a legacy UUID',
  },
  audience: 'project',
  query: Type.Object({
    uuid: Type.String({ format: 'uuid', maxLength: 36, description: 'Legacy UUID of the resource.' }),
    type: Enum(['CONNECTED_ACCOUNT', 'AUTH_CONFIG', 'TRIGGER_INSTANCE'], {
      description: 'Kind of the resource.',
    }),
  }),
  reply: Type.Object({ nanoid: Type.String({ description: 'Current id of the resource.' }) }),
  errors: ['Migration_NotFound', 'Migration_Gone'],
})
