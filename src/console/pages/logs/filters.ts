/** Fields by which logs are filtered, in the order of the form. They are the parameters of the page's URL. */
export const FILTER_FIELDS = [
  ['tool_slug', 'Tool'],
  ['toolkit_slug', 'Application'],
  ['user_id', 'User'],
] as const

/** Fields that are used rarely. */
export const MORE_FILTER_FIELDS = [
  ['connected_account_id', 'Account'],
  ['session_id', 'Session'],
  ['request_id', 'Request id'],
] as const

/** Parameters of the URL that "Clear filters" removes. */
export const FILTER_NAMES = [
  'status',
  'range',
  ...[...FILTER_FIELDS, ...MORE_FILTER_FIELDS].map(([name]): string => name),
]

export const STATUSES = [
  { value: 'all', label: 'All outcomes' },
  { value: 'success', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'started', label: 'Not finished' },
]

const HOUR = 3_600_000
export const RANGES = [
  { value: 'all', label: 'Any time' },
  { value: '1h', label: 'Last hour', length: HOUR },
  { value: '24h', label: 'Last 24 hours', length: 24 * HOUR },
  { value: '7d', label: 'Last 7 days', length: 7 * 24 * HOUR },
] as const

export interface LogSearchBody {
  filters: { field: string; operator: '=='; value: string }[]
  time_range?: { from: number; to: number }
}

/** Builds the search of the API from the parameters of the URL. `now` is rounded, so that the same page is cached. */
export function searchOf(parameters: URLSearchParams, now: number): LogSearchBody {
  const fields = [...FILTER_FIELDS, ...MORE_FILTER_FIELDS].map(([name]): string => name).concat('status')
  const filters = fields.flatMap((field) => {
    const value = parameters.get(field)?.trim()
    return value ? [{ field, operator: '==' as const, value }] : []
  })
  const range = RANGES.find(({ value }) => value === parameters.get('range'))
  if (!range || !('length' in range)) return { filters }
  const minute = 60_000
  const to = Math.ceil(now / minute) * minute
  return { filters, time_range: { from: to - range.length, to } }
}
