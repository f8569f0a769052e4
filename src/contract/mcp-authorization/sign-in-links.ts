import { Type } from '../schema-type.ts'
import { Described, exampleId, Timestamp, UserId } from '../common.ts'
import { route } from '../route.ts'
import { area, ServerId, SessionId } from './shared.ts'

export const createMcpSignInLink = route({
  id: 'mcp.createSignInLink',
  method: 'POST',
  path: '/mcp/sign_in_links',
  summary: 'Create a sign-in link for an MCP client',
  description:
    'Creates a link with which a user of your application signs in for an MCP client. Create it only ' +
    'for the user who is signed in to your application, and redirect the browser of that user to it. ' +
    'The link works once and expires after ten minutes. A restricted key also needs `tool_execution` `write`.',
  example: { body: { user_id: 'user-17', session_id: exampleId('trs') }, needs: 'a session of the user' },
  audience: 'project',
  permission: { area, level: 'write' },
  body: Type.Object({
    user_id: Described(UserId, 'Id of the user who signs in.'),
    mcp_server_id: Type.Optional(
      Described(ServerId, 'Id of the MCP server. Send it, `session_id` or `sign_in_id`.'),
    ),
    session_id: Type.Optional(Described(SessionId, 'Id of the session, `trs_…`.')),
    sign_in_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'Value of `sign_in_id` with which the browser reached the project’s ' +
          '`mcp_sign_in_url`, in place of a server or a session.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    url: Type.String({
      description: 'URL for the browser of this user only. It works once, for ten minutes.',
    }),
    expires_at: Described(Timestamp, 'When the link expires.'),
  }),
  errors: ['Mcp_ServerNotFound', 'Mcp_SignInNotFound', 'Mcp_OtherUser'],
})
