import { Type } from '../schema-type.ts'
import { Described, exampleId, ToolkitSlug } from '../common.ts'
import { route } from '../route.ts'
import { proxyFields, ProxyReply } from '../tools/proxy.ts'
import { SESSION_NOT_FOUND, SessionParams } from './common.ts'

export const proxyInSession = route({
  audience: 'project',
  permission: { area: 'proxy_execute', level: 'write' },
  neverRetry: true,
  id: 'sessions.proxy',
  audit: false,
  method: 'POST',
  path: '/tool_router/session/:session_id/proxy_execute',
  summary: 'Send a proxy request in a session',
  description:
    'Sends an HTTP request to an application with the account of the user of a session. Returns 200 ' +
    'whenever the application responded; `status` is its status. Clients must not repeat this ' +
    'request automatically.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { toolkit_slug: 'github', endpoint: '/user', method: 'GET' },
    needs: 'a session and a connected account',
  },
  params: SessionParams,
  body: Type.Object({
    toolkit_slug: Described(ToolkitSlug, 'Slug of the toolkit whose account is used.'),
    ...proxyFields('/graphql'),
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'Id, word id or alias of a connected account. Needed when the user has several ' +
          'accounts of the toolkit.',
      }),
    ),
  }),
  reply: ProxyReply,
  errors: [
    ...SESSION_NOT_FOUND,
    'ToolRouterV2_NoActiveConnection',
    'ToolRouterV2_AccountRequired',
    'Toolkit_ToolkitNotFound',
    'Auth_Config_NoAuthApp',
    'Auth_Config_SchemeNotSupported',
    'ActionProxy_OriginMismatch',
    'ActionExecute_ConnectedAccountExpired',
    'ActionExecute_ConnectedAccountNotActive',
    'ActionExecute_SharedAccessDenied',
    'ActionExecute_ToolNotAllowed',
    'ActionExecute_PolicyRefused',
    'ActionExecute_ApprovalRequired',
    'Approval_LimitReached',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamTimeout',
    'File_NotFound',
    'File_AddressRefused',
    'File_AddressExpired',
    'File_TooLarge',
    'File_QuotaExceeded',
    'File_StorageUnavailable',
  ],
})
