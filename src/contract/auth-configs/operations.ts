import { Type } from '../schema-type.ts'
import {
  AnyCase,
  Described,
  Enum,
  exampleId,
  Id,
  OneOf,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  ToolkitSlug,
} from '../common.ts'
import { route } from '../route.ts'
import { AuthConfigScheme } from '../schemes.ts'
import { AuthConfig, CustomAuth, ManagedAuth, Patch, PatchFields } from './schemas.ts'

const readAccess = { audience: 'project', permission: { area: 'auth_configs', level: 'read' } } as const

const writeAccess = { audience: 'project', permission: { area: 'auth_configs', level: 'write' } } as const

const AuthConfigId = Type.Object({ nanoid: Described(Id('ac'), 'Id of the auth config, `ac_…`.') })

export const listAuthConfigs = route({
  ...readAccess,
  id: 'authConfigs.list',
  audit: 'unmasked_secrets',
  method: 'GET',
  path: '/auth_configs',
  summary: 'List auth configs, newest first',
  description:
    'Returns a page of the auth configs of the project, newest first. Disabled auth configs are left ' +
    'out unless `show_disabled` is true. Secrets are masked.',
  example: { query: { toolkit_slug: 'github', limit: 20 } },
  query: Type.Object({
    is_service_managed: Type.Optional(
      Described(
        QueryBoolean,
        'Only auth configs with managed credentials (true) or with credentials of the project (false).',
      ),
    ),
    toolkit_slug: Type.Optional(
      QueryList({ description: 'Slugs of toolkits; auth configs of any of them.' }),
    ),
    show_disabled: Type.Optional(Described(QueryBoolean, 'Include disabled auth configs. Default false.')),
    search: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'Part of the name, or in v3.1 of the id, in any letter case.',
      }),
    ),
    deprecated_app_id: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Deprecated: legacy UUID of the toolkit. Use `toolkit_slug`.',
      }),
    ),
    deprecated_status: Type.Optional(
      AnyCase(['ENABLED', 'DISABLED'], {
        description: 'Deprecated: `ENABLED` or `DISABLED`. Use `show_disabled`.',
      }),
    ),
    ...PageQuery,
  }),
  reply: PageOf(AuthConfig),
})

export const createAuthConfig = route({
  ...writeAccess,
  id: 'authConfigs.create',
  method: 'POST',
  path: '/auth_configs',
  summary: 'Define how users authenticate with a toolkit',
  description:
    'Creates an auth config: how users authenticate with one toolkit. Each call creates a new one; a ' +
    'toolkit may have several. Toolkits without authentication need none and return ' +
    '`Auth_Config_NoAuthApp`.',
  example: {
    body: {
      toolkit: { slug: 'github' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', name: 'GitHub' },
    },
  },
  body: Type.Object({
    toolkit: Type.Object(
      { slug: Described(ToolkitSlug, 'Slug of the toolkit.') },
      { description: 'Toolkit of the auth config.' },
    ),
    auth_config: Type.Optional(
      OneOf('type', [ManagedAuth, CustomAuth], {
        description: 'Configuration of the credentials. Default: managed credentials of the server.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    toolkit: Type.Object(
      { slug: Type.String({ description: 'Slug of the toolkit.' }) },
      { description: 'Toolkit of the auth config.' },
    ),
    auth_config: Type.Object(
      {
        id: Type.String({ description: 'Id of the auth config, `ac_…`.' }),
        ...AuthConfigScheme,
        restrict_to_following_tools: Type.Array(Type.String(), {
          description: 'Deprecated: slugs of the tools that may be executed.',
        }),
      },
      { description: 'The new auth config.' },
    ),
  }),
  errors: [
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_SchemeNotSupported',
    'Auth_Config_MissingRequiredField',
    'Auth_Config_DefaultAuthConfigNotFound',
  ],
})

export const readAuthConfig = route({
  ...readAccess,
  id: 'authConfigs.read',
  audit: 'unmasked_secrets',
  method: 'GET',
  path: '/auth_configs/:nanoid',
  summary: 'Read one auth config',
  description: 'Returns one auth config. Secrets are masked.',
  example: { params: { nanoid: exampleId('ac') }, needs: 'an auth config' },
  params: AuthConfigId,
  reply: AuthConfig,
  errors: ['Auth_Config_NotFound'],
})

export const updateAuthConfig = route({
  ...writeAccess,
  id: 'authConfigs.update',
  method: 'PATCH',
  path: '/auth_configs/:nanoid',
  summary: 'Change parts of an auth config',
  description:
    'Changes the fields that the body contains; all others stay as they are. Existing connections ' +
    'keep their scopes until their users connect again. Returns an empty object.',
  example: {
    params: { nanoid: exampleId('ac') },
    body: { type: 'custom', name: 'GitHub production' },
    needs: 'an auth config',
  },
  params: AuthConfigId,
  body: Type.Object({
    ...PatchFields,
    auth_config: Type.Optional(
      Described(Patch, 'The same fields, one level deeper. Both forms are accepted.'),
    ),
  }),
  errors: ['Auth_Config_NotFound'],
})

export const deleteAuthConfig = route({
  ...writeAccess,
  id: 'authConfigs.delete',
  method: 'DELETE',
  path: '/auth_configs/:nanoid',
  summary: 'Delete an auth config; its connections can no longer execute',
  description:
    'Deletes an auth config. Its connected accounts can no longer execute tools, and their triggers ' +
    'stop: webhooks at the application are removed within eight seconds, as far as it responds. Tokens at the ' +
    'provider stay valid unless `revoke_on_delete` is true.',
  example: {
    params: { nanoid: exampleId('ac') },
    query: { revoke_on_delete: true },
    needs: 'an auth config',
  },
  params: AuthConfigId,
  query: Type.Object({
    revoke_on_delete: Type.Optional(
      Type.Boolean({
        description:
          'Also revoke the access of the connected accounts at the provider. This continues ' +
          'after the response. Default false.',
      }),
    ),
  }),
  reply: Type.Object({
    revoke_job_id: Type.Optional(
      Type.String({ description: 'Id of the revocation job, when `revoke_on_delete` is true.' }),
    ),
  }),
  errors: ['Auth_Config_NotFound'],
})

export const setAuthConfigStatus = route({
  ...writeAccess,
  id: 'authConfigs.setStatus',
  method: 'PATCH',
  path: '/auth_configs/:nanoid/:status',
  summary: 'Enable or disable an auth config',
  description:
    'Enables or disables an auth config. A disabled one accepts no new connections, and its accounts ' +
    'cannot execute tools until it is enabled again. Setting the current status changes nothing and ' +
    'succeeds.',
  example: { params: { nanoid: exampleId('ac'), status: 'DISABLED' }, needs: 'an auth config' },
  params: Type.Object({
    nanoid: Described(Id('ac'), 'Id of the auth config, `ac_…`.'),
    status: Enum(['ENABLED', 'DISABLED'], { description: 'New status.' }),
  }),
  errors: ['Auth_Config_NotFound'],
})
