import { Type } from '../schema-type.ts'
import {
  Described,
  exampleId,
  Nullable,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Timestamp,
} from '../common.ts'
import { route } from '../route.ts'
import { AuthConfigScheme } from '../schemes.ts'
import { Tool } from '../tools/tools.ts'
import { readAccess, SESSION_NOT_FOUND, SessionParams } from './common.ts'

export const sessionTools = route({
  ...readAccess,
  id: 'sessions.tools',
  method: 'GET',
  path: '/tool_router/session/:session_id/tools',
  summary: 'List the tools of a session',
  description: 'Returns a page of the tools that the session lists: its meta tools and the preloaded tools.',
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params: SessionParams,
  query: Type.Object(PageQuery),
  reply: PageOf(Tool),
  errors: SESSION_NOT_FOUND,
})

export const sessionToolkits = route({
  ...readAccess,
  id: 'sessions.toolkits',
  method: 'GET',
  path: '/tool_router/session/:session_id/toolkits',
  summary: 'List the toolkits of a session',
  description:
    'Returns a page of the toolkits of a session, with the account that the session uses for each.',
  example: { params: { session_id: exampleId('trs') }, query: { is_connected: true }, needs: 'a session' },
  params: SessionParams,
  query: Type.Object({
    toolkits: Type.Optional(
      QueryList({ description: 'Slugs of toolkits, in place of those of the session.' }),
    ),
    is_connected: Type.Optional(
      Described(QueryBoolean, 'Only toolkits with (true) or without (false) an ACTIVE account of the user.'),
    ),
    search: Type.Optional(
      Type.String({ maxLength: 256, description: 'Part of the name, the slug or the description.' }),
    ),
    ...PageQuery,
  }),
  reply: PageOf(
    Type.Object({
      slug: Type.String({ description: 'Slug of the toolkit.' }),
      name: Type.String({ description: 'Name of the toolkit.' }),
      enabled: Type.Boolean({ description: 'Whether the session may use the toolkit.' }),
      is_no_auth: Type.Boolean({ description: 'Whether the toolkit needs no authentication.' }),
      service_managed_auth_schemes: Type.Array(Type.String(), {
        description: 'Schemes for which the server has managed credentials.',
      }),
      meta: Type.Object(
        {
          logo: Type.String({ description: 'URL of the logo.' }),
          description: Type.String({ description: 'Description of the toolkit.' }),
        },
        { description: 'Logo and description.' },
      ),
      connected_account: Nullable(
        Type.Object(
          {
            id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
            user_id: Type.String({ description: 'Id of the user that the account belongs to.' }),
            status: Type.String({ description: 'Status of the account.' }),
            created_at: Described(Timestamp, 'When the account was created.'),
            auth_config: Type.Object(
              {
                id: Type.String({ description: 'Id of the auth config, `ac_…`.' }),
                ...AuthConfigScheme,
              },
              { description: 'Auth config of the account.' },
            ),
          },
          { description: 'Account that the session uses; null for none.' },
        ),
      ),
    }),
  ),
  errors: SESSION_NOT_FOUND,
})
