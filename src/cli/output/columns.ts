import type { Column } from './table.ts'

const column = (path: string, title = path.replaceAll('_', ' ')): Column => ({ path, title })
const secondary = (path: string, title?: string): Column => ({ ...column(path, title), isSecondary: true })

/** What the tables of lists show; any other list shows what it has of COMMON. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'projects.list': [column('id'), column('name'), secondary('created_at', 'created')],
  'projectKeys.list': [
    column('id'),
    column('name'),
    column('key'),
    column('permissions'),
    column('allowed_ips', 'addresses'),
    secondary('created_at', 'created'),
  ],
  'toolkits.list': [
    column('slug'),
    column('name'),
    column('auth_schemes', 'auth'),
    column('meta.tools_count', 'tools'),
    column('meta.version', 'version'),
    secondary('meta.description', 'description'),
  ],
  'toolkits.categories': [column('slug'), column('name')],
  'toolkits.changelog': [
    column('slug'),
    column('name'),
    column('versions.0.version', 'latest'),
    secondary('versions.0.changelog', 'changes'),
  ],
  'tools.list': [
    column('slug'),
    column('name'),
    column('toolkit.slug', 'toolkit'),
    secondary('version'),
    secondary('description'),
  ],
  'policies.list': [
    column('id'),
    column('name'),
    column('outcome'),
    column('enabled'),
    column('fallback'),
    secondary('created_at', 'created'),
  ],
  'approvals.list': [
    column('id'),
    column('status'),
    column('tool_slug', 'tool'),
    column('user_id', 'user'),
    column('reason'),
    secondary('expires_at', 'expires'),
  ],
  'approvals.decisions': [
    column('at'),
    column('event'),
    column('tool_slug', 'tool'),
    column('user_id', 'user'),
    column('by'),
    secondary('approval_id', 'approval'),
  ],
  'authConfigs.list': [
    column('id'),
    column('name'),
    column('toolkit.slug', 'toolkit'),
    column('auth_scheme', 'scheme'),
    column('status'),
    column('no_of_connections', 'accounts'),
    secondary('created_at', 'created'),
  ],
  'connectedAccounts.list': [
    column('id'),
    column('toolkit.slug', 'toolkit'),
    column('user_id', 'user'),
    column('status'),
    column('identity.label', 'connected as'),
    column('alias'),
    secondary('auth_config.id', 'auth config'),
    secondary('created_at', 'created'),
  ],
  'tools.scopesRequired': [column('tool'), column('scope_requirements', 'scopes')],
}

const COMMON: readonly Column[] = [
  column('id'),
  column('slug'),
  column('name'),
  column('toolkit.slug', 'toolkit'),
  column('user_id', 'user'),
  column('status'),
  column('version'),
  secondary('description'),
  secondary('created_at', 'created'),
]
const COLUMNS_MAX = 6

/** The columns for the rows of an operation. */
export function columnsFor(
  operationId: string,
  rows: readonly unknown[],
  valueAt: (row: unknown, path: string) => unknown,
): readonly Column[] {
  const first = rows[0]
  if (typeof first !== 'object' || first === null) return [column('', 'value')]
  const chosen =
    COLUMNS[operationId] ?? COMMON.filter(({ path }) => rows.some((row) => valueAt(row, path) !== undefined))
  if (chosen.length > 0) return chosen
  return Object.entries(first)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, COLUMNS_MAX)
    .map(([key]) => column(key))
}
