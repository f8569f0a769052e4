import type { Filter } from '../../components/filters.tsx'

const HOUR = 3_600_000
const RANGES = [
  { value: '1h', label: 'Last hour', length: HOUR },
  { value: '24h', label: 'Last 24 hours', length: 24 * HOUR },
  { value: '7d', label: 'Last 7 days', length: 7 * 24 * HOUR },
] as const

/** The filters of the logs, in the order of the form. Except for `range`, their names are fields of the API. */
export const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Outcome',
    all: 'All outcomes',
    options: [
      { value: 'success', label: 'Succeeded' },
      { value: 'failed', label: 'Failed' },
      { value: 'started', label: 'Not finished' },
    ],
  },
  { kind: 'choice', name: 'range', label: 'Time', all: 'Any time', options: RANGES },
  { kind: 'text', name: 'tool_slug', label: 'Tool' },
  { kind: 'text', name: 'toolkit_slug', label: 'Application' },
  { kind: 'text', name: 'user_id', label: 'User' },
  { kind: 'text', name: 'connected_account_id', label: 'Account', isRare: true },
  { kind: 'text', name: 'session_id', label: 'Session', isRare: true },
  { kind: 'text', name: 'request_id', label: 'Request id', isRare: true },
]

export interface LogSearchBody {
  filters: { field: string; operator: '=='; value: string }[]
  time_range?: { from: number; to: number }
}

/** Builds the search of the API from the parameters of the URL. `now` is rounded, so that the same page is cached. */
export function searchOf(parameters: URLSearchParams, now: number): LogSearchBody {
  const filters = FILTERS.flatMap(({ name: field }) => {
    const value = parameters.get(field)?.trim()
    return value && field !== 'range' ? [{ field, operator: '==' as const, value }] : []
  })
  const range = RANGES.find(({ value }) => value === parameters.get('range'))
  if (!range) return { filters }
  const minute = 60_000
  const to = Math.ceil(now / minute) * minute
  return { filters, time_range: { from: to - range.length, to } }
}
