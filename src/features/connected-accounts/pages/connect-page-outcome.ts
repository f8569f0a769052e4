import type { AccountDeps } from '../deps.ts'
import { callbackUrlWith } from '../authorization-flow/callback-url.ts'
import type { AccountRow } from '../store.ts'
import type { PageOutcome } from './page-outcome.ts'
import { renderConnectPage, type ConnectPage } from './templates/connect-page.ts'
import { imageOriginsOf } from './templates/layout.ts'
import { toolkitLabel } from './toolkit-label.ts'
import { describeScopes, describeTools } from './wording/scope-descriptions.ts'

interface ConnectPageContent extends Pick<ConnectPage, 'continuesAtProvider' | 'action' | 'methods'> {
  isReconnect: boolean
  scopes: readonly string[]
  fields?: ConnectPage['fields']
  errors?: ConnectPage['errors']
  formError?: ConnectPage['formError']
  hintUrl?: string | undefined
}

/**
 * Renders the page on which an account is connected or reconnected, with the name and logo of the project. A
 * page with errors has status 400.
 */
export async function connectPageOutcome(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  { isReconnect, scopes, fields = [], errors = {}, hintUrl, ...content }: ConnectPageContent,
): Promise<PageOutcome> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const { displayName, logoUrl, theme } = await deps.branding(projectId)
  const page: ConnectPage = {
    ...content,
    fields,
    errors,
    hintUrl,
    reconnect: isReconnect ? (row.status === 'ACTIVE' ? 'still_works' : 'stopped') : undefined,
    toolkit: toolkitLabel(deps, row),
    projectName: displayName,
    projectLogo: logoUrl,
    theme,
    publicUrl: deps.publicUrl,
    userId: row.user_id === 'default' ? undefined : row.user_id,
    permissions: permissionsOf(),
    cancelUrl: cancelUrlOf(row),
  }
  const hasErrors = Object.keys(errors).length > 0 || content.formError !== undefined
  return {
    kind: 'html',
    status: hasErrors ? 400 : 200,
    render: (translator) => renderConnectPage(page, translator),
    imageOrigins: imageOriginsOf(deps.publicUrl, logoUrl),
    accentColor: theme?.accentColor,
  }

  function permissionsOf() {
    if (!toolkit) return []
    return scopes.length
      ? describeScopes(toolkit, scopes)
      : describeTools(toolkit, row.tools_available_for_execution)
  }
}

/**
 * Returns where "Cancel" leads: the application, with the error of a user who declines at the provider. Nothing is
 * stored, so the link still works.
 */
const cancelUrlOf = ({ id, callback_url: url }: AccountRow): string | undefined =>
  url === null
    ? undefined
    : callbackUrlWith(url, { status: 'failed', connected_account_id: id, error: 'access_denied' })
