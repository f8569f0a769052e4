/** One measured request. */
export interface Case {
  name: string
  targetMs: number
  /**
   * Below `/api/v3.1`. `{…}` stands for an id of the filled data, `{page 1000}` for a cursor of page and limit alone,
   * and `{position 1000}` for the cursor with which the API leads to the same page.
   */
  path: string
  /** Default: the request is a GET. */
  body?: object
}

const LIST_MS = 50
const SEARCH_MS = 1_000
const USAGE_MS = 300
/** Items on a page far from the start of a list. */
export const DEEP_LIMIT = 50
const LOGS = '/logs/tool_execution'

const DAY_MS = 86_400_000
const now = Date.now()

const filter = (field: string, operator: string, value: string) => ({ filters: [{ field, operator, value }] })

const list = (name: string, path: string, body?: object): Case => ({ name, targetMs: LIST_MS, path, body })
/** A page far from the start of a list, with either kind of cursor. */
const deep = (name: string, path: string, page: number): Case[] =>
  (['page', 'position'] as const).map((kind) =>
    list(
      `${name}, page ${page.toLocaleString('en')}, by ${kind}`,
      `${path}${path.includes('?') ? '&' : '?'}limit=${DEEP_LIMIT}&cursor={${kind} ${page}}`,
    ),
  )
const search = (name: string, path: string, body?: object): Case => ({
  name,
  targetMs: SEARCH_MS,
  path,
  body,
})
const usage = (name: string, path: string, body?: object): Case => ({ name, targetMs: USAGE_MS, path, body })

/** Every list, search and usage route whose tables grow with use. */
export const CASES: readonly Case[] = [
  list('latest logs', LOGS, {}),
  list('logs of a user', LOGS, filter('user_id', '==', 'user-77')),
  list('logs of a tool', LOGS, filter('tool_slug', '==', 'SHOP_TOOL_7')),
  list('logs of an account', LOGS, filter('connected_account_id', '==', '{account}')),
  list('logs of a day', LOGS, { time_range: { from: now - 29 * DAY_MS, to: now - 28 * DAY_MS } }),
  search('failed logs (0.1 %)', LOGS, filter('status', '==', 'failed')),
  search('a text that is nowhere', LOGS, filter('request_id', 'contains', 'zzz')),
  list('accounts', '/connected_accounts?limit=50'),
  list('accounts, page 1,000', '/connected_accounts?limit=50&cursor={page 1000}'),
  list('accounts of a user', '/connected_accounts?user_ids=user-77'),
  list('expired accounts', '/connected_accounts?statuses=EXPIRED&limit=50'),
  list('accounts of a toolkit', '/connected_accounts?toolkit_slugs=github&statuses=ACTIVE&limit=50'),
  list('history of an account', '/connected_accounts/{account}/history'),
  list('users', '/users?limit=50'),
  search('users by name', '/users?limit=50&search=user-77'),
  list('sessions', '/tool_router/session?limit=50'),
  list('sessions of a user', '/tool_router/session?user_id=user-77&limit=50'),
  list('events', '/events?limit=50'),
  list('dead events', '/events?limit=50&delivery_status=dead'),
  list('delivered events', '/events?limit=50&delivery_status=delivered'),
  list('events of a receiver', '/events?limit=50&subscription_id={subscription}'),
  list('deliveries', '/webhook_subscriptions/{subscription}/deliveries?limit=50'),
  list('dead deliveries', '/webhook_subscriptions/{subscription}/deliveries?limit=50&status=dead'),
  list('triggers', '/trigger_instances/active?limit=50'),
  list('triggers of a user', '/trigger_instances/active?user_ids=user-77&limit=50'),
  list('trigger logs', '/internal/trigger/logs', { limit: 20 }),
  list('audit log', '/audit_log?limit=50'),
  ...deep('accounts of a toolkit', '/connected_accounts?toolkit_slugs=github&statuses=ACTIVE', 150),
  ...deep('events', '/events', 1_900),
  ...deep('delivered events', '/events?delivery_status=delivered', 1_500),
  usage('usage, 30 days', '/project/usage/summary', {}),
  usage('usage by tool, 30 days', '/project/usage/tool_calls', {}),
  usage('usage by user, 30 days', '/project/usage/tool_calls', { group_by: 'user_id' }),
  usage('sessions by user, 30 days', '/project/usage/sessions', {}),
  usage('overview, 24 hours', '/overview?range=24h'),
  usage('overview, 30 days', '/overview?range=30d'),
  usage('metrics by hour, a day', '/metrics/query', { metric: 'calls' }),
]
