import { Type } from '../schema-type.ts'
import { Described, exampleId, ToolkitSlug } from '../common.ts'
import { route } from '../route.ts'
import { PROXY_ERRORS } from '../tools/call-errors.ts'
import { proxyFields, ProxyReply } from '../tools/proxy.ts'
import { AccountChoice, SESSION_ACCOUNT_ERRORS, SESSION_NOT_FOUND, SessionParams } from './common.ts'

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
    account: AccountChoice,
  }),
  reply: ProxyReply,
  errors: [...SESSION_NOT_FOUND, ...SESSION_ACCOUNT_ERRORS, 'Auth_Config_NoAuthApp', ...PROXY_ERRORS],
})
