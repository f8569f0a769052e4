/** Examples that explain more than a generated one. Other commands get one from their schema. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'toolkits.list': 'patchbay toolkits list --search mail --sort-by usage',
  'tools.list': 'patchbay tools list --toolkit-slug github --query "open an issue"',
  'tools.read': 'patchbay tools read HACKERNEWS_GET_ITEM --json',
  'tools.execute': `patchbay tools execute UTILITIES_CALCULATE --expression '6*7'`,
  'tools.scopesRequired':
    'patchbay tools scopes-required --tools GITHUB_CREATE_AN_ISSUE,GITHUB_LIST_REPOSITORY_ISSUES',
  'authConfigs.create':
    `patchbay auth-configs create --toolkit github --auth-config '{"type": ` +
    `"use_custom_auth", "authScheme": "BEARER_TOKEN"}'`,
  'authConfigs.update': 'patchbay auth-configs update ac_7hQ2vLk9TmXa --name "Billing" --scopes repo',
  'authConfigs.setStatus': 'patchbay auth-configs set-status ac_7hQ2vLk9TmXa DISABLED',
  'connectedAccounts.create':
    'patchbay connected-accounts create --auth-config ac_7hQ2vLk9TmXa --connection ' +
    `'{"user_id": "user-17", "state": {"authScheme": "BEARER_TOKEN", "val": {"token": "ghp_…"}}}'`,
  'connectedAccounts.list': 'patchbay connected-accounts list --user-ids user-17 --statuses ACTIVE,EXPIRED',
  'connectedAccounts.setStatus': 'patchbay connected-accounts set-status ca_7hQ2vLk9TmXa --no-enabled',
  'connectedAccounts.update': 'patchbay connected-accounts update ca_7hQ2vLk9TmXa --alias work',
  'projects.create': 'patchbay projects create billing_prod --should-create-api-key',
  'projects.export': 'patchbay projects export project.ndjson',
  'projectKeys.create':
    `patchbay project-keys create proj_7hQ2vLk9TmXa --name reader --permissions '{"connected_accounts": ` +
    `["read"]}'`,
  'projectConfig.update': 'patchbay project-config update --display-name "Billing" --no-require-mcp-api-key',
  'tools.proxy':
    'patchbay tools proxy --connected-account-id ca_7hQ2vLk9TmXa --endpoint /user/repos --method GET',
  'tools.input':
    'patchbay tools input GMAIL_SEND_EMAIL --text "mail bob@example.com that the build is green"',
  'files.list': 'patchbay files list --toolkit-slug gmail',
  'toolkits.multi': 'patchbay toolkits multi --toolkits github,slack',
}
