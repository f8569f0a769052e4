import { Type } from '../schema-type.ts'
import { Described, exampleId, Open, ToolkitSlug, Url } from '../common.ts'
import { Experimental } from '../connected-accounts/schemas.ts'
import { route } from '../route.ts'
import { CONFIG_ERRORS, SESSION_NOT_FOUND, SessionParams, writeAccess } from './common.ts'

export const linkInSession = route({
  ...writeAccess,
  neverRetry: true,
  id: 'sessions.link',
  method: 'POST',
  path: '/tool_router/session/:session_id/link',
  summary: 'Create a connect link in a session',
  description:
    'Creates a link to a hosted page on which the user of the session connects an account of a ' +
    'toolkit. The auth config is the one of the session, else the newest of the toolkit, else the ' +
    'managed one. The link is valid for ten minutes.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { toolkit: 'github' },
    needs: 'a session and an auth config of the toolkit',
  },
  params: SessionParams,
  body: Type.Object({
    toolkit: Described(ToolkitSlug, 'Slug of the toolkit.'),
    callback_url: Type.Optional(Described(Url, 'URL to which the browser returns after connecting.')),
    alias: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Name for the account, unique for the user and toolkit. At most 128 characters.',
      }),
    ),
    experimental: Type.Optional(Described(Experimental, 'Sharing of the account. Experimental.')),
  }),
  status: 201,
  reply: Type.Object({
    link_token: Type.String({ description: 'Secret of the link, part of `redirect_url`.' }),
    redirect_url: Type.String({ description: 'URL of the hosted page. Open it in the browser of the user.' }),
    connected_account_id: Type.String({ description: 'Id of the new account, `ca_…`.' }),
    experimental: Type.Optional(Open({}, { description: 'Sharing of the account, as it was requested.' })),
  }),
  errors: [
    ...SESSION_NOT_FOUND,
    ...CONFIG_ERRORS,
    'ToolRouterV2_AccountPinned',
    'ToolRouterV2_NoAuthConfig',
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_Disabled',
    'Auth_Config_SchemeNotSupported',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_AliasConflict',
    'ConnectedAccount_AclOnlyForShared',
    'ConnectedAccount_NotImplemented',
  ],
})
