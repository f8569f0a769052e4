import type { ReactNode } from 'react'
import type { ApiFailure } from '../api/failure.ts'
import { ErrorState, Skeleton } from './states.tsx'
import { type Column, Pagination, Table } from './table.tsx'

/** A list as `useApiList` returns it. */
interface List<T> {
  rows: T[] | undefined
  error: ApiFailure | null
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

interface RecordListProps<T extends object> {
  /** What the rows are, for screen readers. */
  label: string
  list: List<T>
  columns: Column<T>[]
  rowId: (row: T) => string
  onOpen?: (row: T) => void
  /** Shown when the list has no rows. */
  empty: ReactNode
}

/** A table of a list in each of its states: loading, failed, empty, full, with further pages. */
export function RecordList<T extends object>(props: RecordListProps<T>) {
  const { label, list, columns, rowId, onOpen, empty } = props
  const { rows, error } = list
  if (!rows)
    return error ? <ErrorState failure={error} onRetry={() => void list.refetch()} /> : <Skeleton lines={8} />
  if (rows.length === 0) return empty
  return (
    <div>
      {error && (
        <p className="form-error" role="alert">
          The list could not be read again: {error.message}
        </p>
      )}
      <Table label={label} columns={columns} rows={rows} rowId={rowId} {...(onOpen && { onOpen })} />
      <Pagination of={list} />
    </div>
  )
}
