import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Nullable, PageMeta, PageQuery, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { Project, ProjectParams } from './schemas.ts'
import { Config, ProjectConfigPatch } from './settings.ts'

export const createProject = route({
  id: 'projects.create',
  permission: { area: 'projects', level: 'write' },
  method: 'POST',
  path: '/org/owner/project/new',
  summary: 'Create a project',
  description:
    'Creates a project. Projects separate users, connections, keys and logs. Returns an API key when ' +
    '`should_create_api_key` is true. Store it: v3.1 does not return it again.',
  example: { body: { name: 'billing_prod', should_create_api_key: true } },
  audience: 'organization',
  body: Type.Object({
    name: Type.String({
      minLength: 3,
      maxLength: 75,
      pattern: '^[a-zA-Z0-9_-]+$',
      examples: ['billing_prod'],
      description: 'Name of the project, unique in the organization: letters, digits, `_` and `-`.',
    }),
    should_create_api_key: Type.Optional(
      Type.Boolean({ default: false, description: 'Also create an API key. Default false.' }),
    ),
    config: Type.Optional(
      Described(
        Type.Intersect([
          ProjectConfigPatch,
          Type.Object({
            is_2FA_enabled: Type.Boolean({
              description: 'Whether `user_id` must be the owner of the connected account that a call uses.',
            }),
            mask_secret_keys_in_connected_account: Type.Boolean({
              description: 'Whether responses mask the secrets of custom connections.',
            }),
            log_visibility_setting: Config.log_visibility_setting,
          }),
        ]),
        'Settings of the project. Settings that are left out have their default.',
      ),
    ),
  }),
  reply: Type.Object({
    id: Type.String({ description: 'Id of the project, `proj_…`.' }),
    name: Type.String({ description: 'Name of the project.' }),
    api_key: Nullable(
      Type.String({
        description: 'API key of the project; null without `should_create_api_key`.',
      }),
    ),
  }),
  errors: ['Project_NameTaken'],
})

export const listProjects = route({
  id: 'projects.list',
  permission: { area: 'projects', level: 'read' },
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/org/owner/project/list',
  summary: 'List the projects of the organization, newest first',
  description: 'Returns a page of the projects of the organization, newest first.',
  example: { query: { limit: 20 } },
  audience: 'organization',
  query: Type.Object(PageQuery),
  reply: Type.Object({ data: Type.Array(Project, { description: 'Projects of this page.' }), ...PageMeta }),
})

export const readProject = route({
  id: 'projects.read',
  permission: { area: 'projects', level: 'read' },
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/org/owner/project/:nano_id',
  summary: 'Read a project with its keys',
  description: 'Returns one project with its API keys.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: ProjectParams,
  reply: Project,
  errors: ['Project_NotFound'],
})

export const deleteProject = route({
  id: 'projects.delete',
  permission: { area: 'projects', level: 'write' },
  method: 'DELETE',
  path: '/org/owner/project/:nano_id',
  summary: 'Delete a project',
  description:
    'Deletes a project. Its keys stop working at once, and it receives, sends and refreshes nothing more. A ' +
    'background job revokes the access of its accounts at the providers and erases its data; GET ' +
    '/org/owner/project/{nano_id}/deletion returns the progress. The last project of an organization cannot be ' +
    'deleted.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a second project' },
  audience: 'organization',
  params: ProjectParams,
  reply: Type.Object({ status: Type.String({ description: 'Always `success`.' }) }),
  errors: ['Project_NotFound', 'Project_LastProject'],
})

export const readProjectDeletion = route({
  id: 'projects.readDeletion',
  permission: { area: 'projects', level: 'read' },
  method: 'GET',
  path: '/org/owner/project/:nano_id/deletion',
  summary: 'Read the progress of the deletion of a project',
  description:
    'An extension of this server. Returns what the background job has removed since the project was deleted. When it ' +
    'is done, the entry `projects.erased` of the audit log has the same numbers. Revoked API keys, the name of the ' +
    'project and the audit log remain.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a deleted project' },
  audience: 'organization',
  params: ProjectParams,
  reply: Type.Object({
    id: Type.String({ description: 'Id of the deletion, `pdl_…`.' }),
    project_id: Type.String({ description: 'Id of the project, `proj_…`.' }),
    status: Enum(['pending', 'done'], { description: '`pending` until nothing is left.' }),
    removed: Type.Record(Type.String(), Type.Integer(), {
      description: 'What was removed so far: `accounts`, `open_sessions`, `files`, and rows by table.',
    }),
    last_error: Nullable(Type.String({ description: 'Error of the last attempt; null for none.' })),
    created_at: Described(Timestamp, 'When the project was deleted.'),
    finished_at: Nullable(
      Type.String({ format: 'date-time', description: 'When the erasure ended; null while it runs.' }),
    ),
  }),
  errors: ['Project_NotFound'],
})
