import { Type } from 'typebox'
import { Described, exampleId, Nullable, PageMeta, PageQuery } from '../common.ts'
import { route } from '../route.ts'
import { Project, ProjectId } from './schemas.ts'
import { Config, ProjectConfigPatch } from './settings.ts'

export const createProject = route({
  id: 'projects.create',
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
  method: 'GET',
  path: '/org/owner/project/:nano_id',
  summary: 'Read a project with its keys',
  description: 'Returns one project with its API keys.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a project' },
  audience: 'organization',
  params: Type.Object({ nano_id: Described(ProjectId, 'Id of the project, `proj_…`.') }),
  reply: Project,
  errors: ['Project_NotFound'],
})

export const deleteProject = route({
  id: 'projects.delete',
  method: 'DELETE',
  path: '/org/owner/project/:nano_id',
  summary: 'Delete a project',
  description:
    'Deletes a project. Its keys stop working at once. The last project of an organization cannot be ' +
    'deleted.',
  example: { params: { nano_id: exampleId('proj') }, needs: 'a second project' },
  audience: 'organization',
  params: Type.Object({ nano_id: Described(ProjectId, 'Id of the project, `proj_…`.') }),
  reply: Type.Object({ status: Type.String({ description: 'Always `success`.' }) }),
  errors: ['Project_NotFound', 'Project_LastProject'],
})
