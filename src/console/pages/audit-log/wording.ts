import type { OperationSummary } from '../../../contract/operation-summary.ts'

/**
 * Actions that are no operation of the API, and operations whose title does not say what an entry is about: reads are
 * in the log only if they return secrets.
 */
export const ACTIONS: Readonly<Record<string, string>> = {
  'apiKeys.leakReported': 'Report a leaked API key',
  'apiKeys.leakRevoked': 'Revoke a leaked API key',
  'authConfigs.create': 'Create an auth config',
  'authConfigs.delete': 'Delete an auth config',
  'authConfigs.list': 'Read auth configs with their secrets',
  'authConfigs.read': 'Read an auth config with its secrets',
  'authConfigs.update': 'Change an auth config',
  'connectedAccounts.list': 'Read connected accounts with their credentials',
  'connectedAccounts.read': 'Read a connected account with its credentials',
  'console.signIn': 'Sign in to the console',
  'mcp.revokeToken': 'Revoke the access of an MCP client by its token',
  'mcp.signIn': 'Sign in to an MCP client',
  'members.addPasskey': 'Add a passkey',
  'members.createBySignIn': 'Join with the first sign-in at the identity provider',
  'members.removePasskey': 'Remove a passkey',
  'projectKeys.list': 'Read the API keys of a project in clear',
  'projects.erased': 'Finish the deletion of a project',
  'projects.list': 'Read projects with their API keys in clear',
  'projects.read': 'Read a project with its API keys in clear',
  'sessions.createLabs': 'Create a session',
  'users.erased': 'Finish the deletion of a user',
  'webhooks.deleteProject': 'Delete the project webhook',
  'webhooks.list': 'Read webhook subscriptions with their secrets',
  'webhooks.read': 'Read a webhook subscription with its secret',
  'webhooks.readProject': 'Read the project webhook with its secret',
  'webhooks.refreshProject': 'Replace the secret of the project webhook',
  'webhooks.updateProject': 'Change the project webhook',
}

interface Option {
  value: string
  label: string
}

/** Kinds of objects. */
export const OBJECTS: Readonly<Record<string, string>> = {
  alert: 'Alert rule',
  api_key: 'API key',
  approval: 'Approval',
  audit_log: 'Audit log',
  auth_config: 'Auth config',
  budget: 'Budget',
  client_grant: 'MCP client',
  connected_account: 'Connected account',
  console_session: 'Console',
  event: 'Event',
  file: 'File',
  incident: 'Incident',
  log: 'Execution log',
  mcp_server: 'MCP server',
  member: 'Member',
  memory: 'Memory',
  playground: 'Language model of the playground',
  policy: 'Policy',
  project: 'Project',
  recipe: 'Recipe',
  session: 'Session',
  session_config: 'Session configuration',
  sso: 'Identity provider of members',
  toolkit: 'Toolkit',
  trigger_instance: 'Trigger',
  user: 'User',
  webhook_endpoint: 'Webhook endpoint of an application',
  webhook_subscription: 'Webhook subscription',
}

/** Names of the outcomes of calls. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'Succeeded',
  failure: 'Failed',
  unknown: 'Not finished',
}

const optionsOf = (names: Readonly<Record<string, string>>): Option[] =>
  Object.entries(names)
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label))

export const OBJECT_OPTIONS = optionsOf(OBJECTS)
export const OUTCOME_OPTIONS = Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }))

/** Names an action: the title of its operation. */
export function actionName(action: string, operations: readonly OperationSummary[]): string {
  const title = ACTIONS[action] ?? operations.find(({ id }) => id === action)?.summary
  return title ?? words(action.replace('.', ': '))
}

/** The actions that the log can contain, for a filter. */
export const actionOptions = (operations: readonly OperationSummary[]): Option[] =>
  optionsOf({
    ...Object.fromEntries(
      operations.filter(({ isAudited }) => isAudited).map(({ id, summary }) => [id, summary]),
    ),
    ...ACTIONS,
  })

export const objectName = (type: string): string => OBJECTS[type] ?? words(type)

/** Writes an identifier as words: `Auth_Config_NotFound` is `Auth config not found`. */
export function words(identifier: string): string {
  const text = identifier
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
