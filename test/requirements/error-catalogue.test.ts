import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { linkConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { ERRORS } from '../../src/contract/errors/index.ts'
import { requestUpload } from '../../src/contract/files.ts'
import { createCustomMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { createProject, createProjectKey } from '../../src/contract/projects/index.ts'
import { createSession } from '../../src/contract/sessions/index.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { createWebhook } from '../../src/contract/webhooks/index.ts'

/** The conditions of the contract: status, code and slug. */
const CONDITIONS: readonly (readonly [condition: string, status: number, code: number, slug: string])[] = [
  ['a body, query or path that is not valid', 400, 10400, 'HTTP_BadRequest'],
  ['no credential header, or several', 401, 10401, 'HTTP_Unauthorized'],
  ['an unknown or revoked key', 401, 801, 'APIKey_InvalidAPIKey'],
  ['a restricted key without the area or level', 403, 812, 'APIKey_InsufficientPermissions'],
  ['an IP address that the key does not allow', 403, 813, 'APIKey_IpNotAllowed'],
  ['an unknown path', 404, 10404, 'HTTP_NotFound'],
  ['another method', 405, 10405, 'HTTP_MethodNotAllowed'],
  ['a body over the limit', 413, 10413, 'HTTP_PayloadTooLarge'],
  ['a body of another type', 415, 10415, 'HTTP_UnsupportedMediaType'],
  ['too many requests', 429, 10429, 'HTTP_TooManyRequests'],
  ['a fault of the server', 500, 10500, 'HTTP_InternalServerError'],
  ['an unknown auth config', 404, 302, 'Auth_Config_NotFound'],
  ['an auth config of a toolkit without authentication', 400, 303, 'Auth_Config_NoAuthApp'],
  ['a scheme that the toolkit does not have', 400, 304, 'Auth_Config_SchemeNotSupported'],
  ['a missing credential', 400, 305, 'Auth_Config_MissingRequiredField'],
  ['managed authentication that is not there', 400, 306, 'Auth_Config_DefaultAuthConfigNotFound'],
  ['a connection with a disabled auth config', 400, 307, 'Auth_Config_Disabled'],
  ['an unknown toolkit', 404, 2101, 'Toolkit_ToolkitNotFound'],
  ['a connection that is not valid', 400, 600, 'ConnectedAccount_BadRequest'],
  ['a used alias', 409, 601, 'ConnectedAccount_AliasConflict'],
  ['access rules of a private account', 400, 602, 'ConnectedAccount_AclOnlyForShared'],
  ['an unknown account', 404, 606, 'ConnectedAccount_ResourceNotFound'],
  ['a scheme that is not implemented', 501, 607, 'ConnectedAccount_NotImplemented'],
  ['a revocation that the toolkit does not have', 400, 608, 'ConnectedAccount_RevokeNotSupported'],
  ['a revocation in another status', 409, 609, 'ConnectedAccount_NotRevokable'],
  ['an unknown tool', 404, 2401, 'Tool_ToolNotFound'],
  ['no usable account', 404, 1810, 'ActionExecute_ConnectedAccountNotFound'],
  ['an account without its user', 400, 1811, 'ActionExecute_ConnectedAccountEntityIdRequired'],
  ['an account of another user', 400, 1812, 'ActionExecute_ConnectedAccountEntityIdMismatch'],
  ['an expired account', 410, 1820, 'ActionExecute_ConnectedAccountExpired'],
  ['an account that is not active', 422, 1821, 'ActionExecute_ConnectedAccountNotActive'],
  ['a shared account that denies the user', 403, 1822, 'ActionExecute_SharedAccessDenied'],
  ['a tool that the auth config does not allow', 403, 1823, 'ActionExecute_ToolNotAllowed'],
  ['a tool that is gone', 410, 1830, 'ActionExecute_ToolDeprecated'],
  ['a provider that cannot be reached', 502, 1840, 'ActionExecute_UpstreamUnreachable'],
  ['a provider that is down', 503, 1841, 'ActionExecute_UpstreamUnavailable'],
  ['a provider that takes too long', 504, 1842, 'ActionExecute_UpstreamTimeout'],
  ['a proxy request to another site', 400, 1850, 'ActionProxy_OriginMismatch'],
  ['a proxy request without an account', 400, 1851, 'ActionProxy_MissingAuthContext'],
  ['no connection in a session', 400, 4302, 'ToolRouterV2_NoActiveConnection'],
  ['an unknown trigger type', 404, 1101, 'TriggerType_NotFound'],
  ['an interval that is too short', 400, 1213, 'TriggerInstance_PollingConfigInvalid'],
  ['a trigger configuration that is not valid', 400, 1214, 'TriggerInstance_ConfigInvalid'],
  ['a trigger without its webhook endpoint', 400, 1215, 'TriggerInstance_WebhookEndpointRequired'],
  ['a trigger without a usable account', 422, 1216, 'TriggerInstance_ConnectionNotUsable'],
  ['an unknown trigger', 404, 1204, 'TriggerInstance_NotFound'],
  ['a trigger that changed meanwhile', 409, 1209, 'TriggerInstance_AlreadyInState'],
  ['a deleted trigger', 410, 1210, 'TriggerInstance_Gone'],
  ['an unknown webhook subscription', 404, 1404, 'WebhookSubscription_NotFound'],
  ['a second webhook subscription of a URL', 409, 1409, 'WebhookSubscription_AlreadyExists'],
  ['an unknown project', 404, 901, 'Project_NotFound'],
  ['an unknown legacy UUID', 404, 701, 'Migration_NotFound'],
  ['a legacy UUID of a deleted resource', 410, 702, 'Migration_Gone'],
]

test('error catalogue: each condition of the contract has its status, its code and its slug', () => {
  const errors = ERRORS as Readonly<Record<string, { status: number; code: number }>>
  assert.deepEqual(
    CONDITIONS.map(([condition, , , slug]) => [condition, errors[slug]?.status, errors[slug]?.code, slug]),
    CONDITIONS,
  )
})

test('ids: each kind has its prefix, followed by letters and digits', async (t) => {
  const { call, org, keys } = await testApp(t)
  const shop = { toolkit: { slug: 'github' } }
  const bearer = { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} } as const
  const { body: config } = await call(createAuthConfig, { body: { ...shop, auth_config: bearer } })
  const { body: link } = await call(linkConnectedAccount, {
    body: { auth_config_id: config.auth_config.id, user_id: 'user-1' },
  })
  const { body: session } = await call(createSession, { body: { user_id: 'user-1' } })
  const { body: server } = await call(createCustomMcpServer, { body: { name: 'Server' } })
  const { body: webhook } = await call(createWebhook, {
    body: { webhook_url: 'https://app.example.com/x', enabled_events: ['service.trigger.message'] },
  })
  const { body: project } = await org(createProject, { body: { name: 'other', should_create_api_key: true } })
  const { body: key } = await org(createProjectKey, { params: { nano_id: keys.projectId }, body: {} })
  const { body: file } = await call(requestUpload, {
    body: {
      toolkit_slug: 'github',
      tool_slug: 'GITHUB_X',
      filename: 'a.txt',
      mimetype: 'text/plain',
      md5: '0'.repeat(32),
    },
  })
  const { body: run } = await call(executeTool, {
    params: { tool_slug: 'UTILITIES_CALCULATE' },
    body: { arguments: { expression: '1' } },
  })
  for (const [id, form] of [
    [config.auth_config.id, /^ac_[A-Za-z0-9]{12}$/],
    [link.connected_account_id, /^ca_[A-Za-z0-9]{12}$/],
    [link.link_token, /^lk_[A-Za-z0-9]{12,}$/],
    [session.session_id, /^trs_[A-Za-z0-9]{12}$/],
    [server.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/],
    [webhook.id, /^ws_[A-Za-z0-9]{12}$/],
    [webhook.secret, /^whsec_[A-Za-z0-9+/]{32}$/],
    [project.id, /^proj_[A-Za-z0-9]{12}$/],
    [project.api_key, /^ak_[A-Za-z0-9]{32}$/],
    [key.id, /^key_[A-Za-z0-9]{12}$/],
    [file.id, /^req_file_[A-Za-z0-9]{12}$/],
    [run.log_id, /^log_[A-Za-z0-9]{12,}$/],
  ] as const)
    assert.match(String(id), form)
})
