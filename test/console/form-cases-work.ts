import type { Locator } from 'playwright-core'
import type { ConsoleApi } from '../fixtures/console-pages.ts'
import { click, fill, type FormCase } from './form-case.ts'

async function fillRepository(form: Locator): Promise<void> {
  for (const label of [/owner/i, /repo/i]) await form.getByLabel(label).first().fill('entered')
}

const MODEL = {
  'GET /org/project/model': { model: { base_url: 'https://m.example', model: 'm', has_api_key: true } },
}

export const agentCases = (session: string): FormCase[] => [
  {
    name: 'language model',
    file: 'pages/agent/model-form.tsx',
    path: '/agent',
    replies: { 'GET /org/project/model': { model: null } },
    fill: fill({ Model: 'entered', 'API key': 'secret' }),
    submit: 'Save model',
    request: /^PUT \/org\/project\/model /,
  },
  {
    name: 'new session',
    file: 'pages/agent/agent.tsx',
    path: '/agent',
    replies: MODEL,
    fill: fill({ User: 'ada', Applications: 'github' }),
    submit: 'Start',
    request: /^POST \/tool_router\/session /,
  },
  {
    name: 'message to an agent',
    file: 'pages/agent/chat.tsx',
    path: `/agent?session=${session}`,
    replies: { ...MODEL, [`GET /tool_router/session/${session}/tools`]: { items: [] } },
    fill: fill({ Message: 'What time is it?' }),
    submit: 'Send',
    request: /^POST \/playground\/chat /,
  },
]

export const OPERATE_CASES: readonly FormCase[] = [
  {
    name: 'deletion of a user',
    file: 'components/dialog.tsx',
    path: '/users/ada',
    open: click('Delete user'),
    fill: (form) => form.getByRole('textbox').fill('ada'),
    submit: 'Delete user',
    request: /^DELETE \/users\/ada /,
  },
  {
    name: 'policy',
    file: 'pages/policies/policy-form.tsx',
    path: '/policies?policy=new',
    fill: fill({ Name: 'Refunds', Tools: 'STRIPE_REFUND', Argument: 'amount', Value: '100' }),
    submit: 'Save policy',
    request: /^POST \/policies /,
  },
  {
    name: 'webhook endpoint',
    file: 'pages/webhooks/add-webhook.tsx',
    path: '/webhooks',
    open: click('Add endpoint'),
    fill: async (form) => {
      await form.getByLabel('URL').fill('https://app.example.com/entered')
      await form.getByRole('checkbox').first().check()
    },
    submit: 'Add endpoint',
    request: /^POST \/webhook_subscriptions /,
  },
  {
    name: 'new alert rule',
    file: 'pages/alerts/new-alert.tsx',
    path: '/alerts',
    open: click('Create rule'),
    fill: fill({ URL: 'https://hooks.slack.com/services/entered', Name: 'Entered' }),
    submit: 'Create rule',
    request: /^POST \/alert_rules /,
  },
  {
    name: 'new trigger',
    file: 'pages/triggers/new-trigger.tsx',
    path: '/triggers/new?type=GITHUB_ISSUE_ADDED_EVENT',
    fill: fillRepository,
    submit: 'Create trigger',
    request: /^POST \/trigger_instances\/\w+\/upsert /,
  },
]

interface StoredObjects {
  ruleId: string
  policyId: string
  /** Path of the page of an MCP server, which is that of the API too. */
  server: string
}

/** Forms that change an object, which another person changes meanwhile. */
export const changeCases = (api: ConsoleApi, { ruleId, policyId, server }: StoredObjects): FormCase[] => [
  {
    name: 'change of a policy',
    file: 'pages/policies/policy-form.tsx',
    path: `/policies?policy=${policyId}`,
    change: () => api('PATCH', `/policies/${policyId}`, { message: 'Of another person' }),
    list: 'GET /policies',
    fill: fill({ Name: 'Entered' }),
    submit: 'Save policy',
    request: /^PATCH \/policies\//,
  },
  {
    name: 'change of an alert rule',
    file: 'pages/alerts/alert-drawer.tsx',
    path: `/alerts?rule=${ruleId}`,
    change: () => api('PATCH', `/alert_rules/${ruleId}`, { threshold: 42 }),
    list: 'GET /alert_rules',
    fill: fill({ Name: 'Entered' }),
    submit: 'Save',
    request: /^PATCH \/alert_rules\//,
  },
  {
    name: 'change of an MCP server',
    file: 'pages/mcp/server-form.tsx',
    path: server,
    open: click('Edit'),
    change: () => api('PATCH', server, { name: 'Of another person' }),
    fill: fill({ Name: 'Entered name' }),
    submit: 'Save changes',
    request: /^PATCH \/mcp\//,
  },
]

export const serverCases = (path: string): FormCase[] => [
  {
    name: 'call of the MCP inspector',
    file: 'pages/mcp/inspector.tsx',
    path,
    isForEveryRole: true,
    open: async (page) => {
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByLabel('Tool', { exact: true }).click()
      await page.getByRole('option').first().click()
    },
    fill: fill({ Arguments: '{"entered": 1}' }),
    submit: 'Call the tool',
    request: /^POST \S+ .*tools\/call/,
  },
]

export const TOOL_CASES: readonly FormCase[] = [
  {
    name: 'arguments of a tool',
    file: 'pages/playground/tool-form.tsx',
    path: '/playground?tool=GITHUB_LIST_REPOSITORY_ISSUES',
    fill: fillRepository,
    submit: 'Run',
    request: /^POST \/tools\/execute\//,
  },
  {
    name: 'arguments of a tool as JSON',
    file: 'pages/playground/tool-form.tsx',
    path: '/playground?tool=UTILITIES_GET_CURRENT_TIME',
    open: (page) => page.getByRole('tab', { name: 'JSON' }).first().click(),
    fill: fill({ 'Arguments as JSON': '{"timezone": "Europe/Berlin"}' }),
    submit: 'Run',
    request: /^POST \/tools\/execute\//,
  },
  {
    name: 'request of the documentation',
    file: 'pages/docs/request-builder.tsx',
    path: '/docs/api/projectConfig.update',
    isForEveryRole: true,
    fill: fill({ 'Body (JSON)': '{"display_name": "Entered"}' }),
    submit: 'Send PATCH request',
    request: /^PATCH \/org\/project\/config /,
  },
  {
    name: 'connection of an application',
    file: 'pages/applications/connect-wizard.tsx',
    path: '/applications/github?tab=connect',
    fill: async (form) => {
      for (const field of await form.locator('input:not([aria-hidden=true], [type=checkbox])').all())
        await field.fill('entered')
    },
    submit: 'Continue',
    request: /^POST \/(?:auth_configs|connected_accounts\/link) /,
  },
  {
    name: 'import of an API',
    file: 'pages/applications/import.tsx',
    path: '/applications/import',
    fill: fill({ URL: 'https://api.example.com/openapi.json', 'Short name (optional)': 'entered' }),
    submit: 'Preview',
    request: /^POST \/toolkits\/import /,
  },
]
