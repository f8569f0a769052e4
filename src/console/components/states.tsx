import type { ReactNode } from 'react'
import type { ApiFailure } from '../api/failure.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { InlineCode } from './inline-code.tsx'

/** What a page shows while there is nothing yet, with the first step. */
export const EmptyState = ({
  icon = 'folder',
  title,
  children,
  action,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className="state">
    <Icon name={icon} size={28} />
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
)

/** What a page shows when it could not load: what is wrong, the next step, and the request id for support. */
export function ErrorState({ failure, onRetry }: { failure: ApiFailure; onRetry?: () => void }) {
  const isForbidden = failure.status === 403
  return (
    <div className="state" role="alert">
      <Icon name={isForbidden ? 'lock' : 'warning'} size={28} />
      <h2>
        <InlineCode>{isForbidden ? 'You do not have permission to see this' : failure.message}</InlineCode>
      </h2>
      {isForbidden && (
        <p>
          <InlineCode>{failure.message}</InlineCode>
        </p>
      )}
      {failure.fix && (
        <p>
          <InlineCode>{failure.fix}</InlineCode>
        </p>
      )}
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
      {failure.requestId && <p className="hint">Request id {failure.requestId}</p>}
    </div>
  )
}

/** Grey lines in the place of content that is loading. */
export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
)

interface Loadable<T> {
  data: T | undefined
  error: ApiFailure | null
  isPending: boolean
  refetch(): unknown
}

/** Shows a query in each of its states: loading, failed, loaded. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: Loadable<T>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <ErrorState failure={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton {...(lines !== undefined && { lines })} />
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'warn' | 'soft'>> = {
  ACTIVE: 'good',
  ENABLED: 'good',
  SUCCESS: 'good',
  DELIVERED: 'good',
  APPROVED: 'good',
  OK: 'good',
  FAILED: 'bad',
  EXPIRED: 'bad',
  REVOKED: 'bad',
  DENIED: 'bad',
  ERROR: 'bad',
  DEAD: 'bad',
  INITIALIZING: 'warn',
  INITIATED: 'warn',
  PENDING: 'warn',
  INACTIVE: 'soft',
  DISABLED: 'soft',
}

/** A status as a word with a colour. The word carries the meaning. */
export const StatusBadge = ({ status, label }: { status: string; label?: string }) => (
  <span className={`badge ${TONES[status.toUpperCase()] ?? 'soft'}`}>{label ?? readable(status)}</span>
)

const readable = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1).toLowerCase().replaceAll('_', ' ')
