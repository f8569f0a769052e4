import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type RowData,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_datetime,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: {
    alphanumeric: sortFn_alphanumeric,
    basic: sortFn_basic,
    datetime: sortFn_datetime,
    text: sortFn_text,
  },
})

export type Column<T extends RowData> = ColumnDef<typeof features, T>

interface TableProps<T extends RowData> {
  /** What the rows are, for screen readers. */
  label: string
  columns: Column<T>[]
  rows: readonly T[]
  rowId: (row: T) => string
  /** Opens a row: by a click anywhere in it, or Enter. */
  onOpen?: (row: T) => void
  /** Called when the last rows are visible. */
  onEnd?: (() => void) | undefined
  /** Height in pixels of a row; all rows have it. */
  rowHeight?: number
  isSortable?: boolean
}

const OVERSCAN = 10
const VIRTUAL_FROM = 80

/**
 * A table. With many rows, only the visible ones exist in the page: `aria-rowcount` and `aria-rowindex` tell screen
 * readers about the others.
 */
export function Table<T extends RowData>(props: TableProps<T>) {
  const { label, columns, rows, rowId, onOpen, onEnd, rowHeight = 44, isSortable = false } = props
  const table = useTable({ features, columns, data: rows as T[], getRowId: rowId, enableSorting: isSortable })
  const { rows: sorted } = table.getRowModel()
  const { container, isVirtual, before, after, visible } = useVisibleRows(sorted, rowHeight, onEnd)

  return (
    <div
      className={isVirtual ? 'table-box virtual' : 'table-box'}
      ref={container}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table aria-rowcount={sorted.length + 1} aria-label={label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" aria-sort={sortOf(header.column.getIsSorted())}>
                  {header.column.getCanSort() ? (
                    <button type="button" className="sort" onClick={header.column.getToggleSortingHandler()}>
                      <table.FlexRender header={header} />
                    </button>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          <Spacer height={before} columns={columns.length} />
          {visible.map(({ row, index }) => (
            <tr key={row.id} aria-rowindex={index + 2} {...(onOpen && opening(() => onOpen(row.original)))}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
          <Spacer height={after} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Chooses the rows that are in the page, and the heights of what is before and after them. */
function useVisibleRows<R>(rows: readonly R[], rowHeight: number, onEnd: (() => void) | undefined) {
  const container = useRef<HTMLDivElement>(null)
  const isVirtual = rows.length > VIRTUAL_FROM
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  })
  const items = virtual.getVirtualItems()
  const lastIndex = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (isVirtual && lastIndex >= rows.length - 1) onEnd?.()
  }, [isVirtual, lastIndex, rows.length, onEnd])
  if (!isVirtual)
    return { container, isVirtual, before: 0, after: 0, visible: rows.map((row, index) => ({ row, index })) }
  return {
    container,
    isVirtual,
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    visible: items.flatMap(({ index }) => rows.slice(index, index + 1).map((row) => ({ row, index }))),
  }
}

const sortOf = (sorted: false | 'asc' | 'desc') =>
  sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined

/** Makes a row react to clicks and Enter, except on links and buttons in it. */
function opening(open: () => void) {
  const isControl = (target: EventTarget) =>
    target instanceof Element && target.closest('a,button,input') !== null
  return {
    tabIndex: 0,
    className: 'opens',
    onClick: (event: { target: EventTarget }) => {
      if (!isControl(event.target)) open()
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) open()
    },
  }
}

/** Takes the place of rows that are not in the page. */
function Spacer({ height, columns }: { height: number; columns: number }): ReactNode {
  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    // By script: the content security policy allows no style attributes.
    if (cell.current) cell.current.style.height = `${height}px`
  }, [height])
  if (height <= 0) return null
  return (
    <tr aria-hidden="true">
      <td ref={cell} className="spacer" colSpan={columns} />
    </tr>
  )
}

/** A list whose rows arrive in pages. */
interface PagedList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/** Loads further rows of a list. */
export const Pagination = ({ of: list }: { of: PagedList }) =>
  list.hasNextPage ? (
    <div className="pagination">
      <button
        type="button"
        className="button plain"
        aria-busy={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
    </div>
  ) : null
