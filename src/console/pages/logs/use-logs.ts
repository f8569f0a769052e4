import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { searchLogs } from '../../../contract/logs/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { type ApiFailure, callApi, currentProject, useScreenRequest, useStore } from '../../api/index.ts'
import { keepStreamOpen } from '../../api/event-stream.ts'
import type { LiveState } from '../../api/live.ts'
import type { LogSearchBody } from './filters.ts'

type Reply = ReplyOf<typeof searchLogs>
export type LogEntry = Reply['logs'][number]

const PATH = '/logs/tool_execution'
const PAGE_SIZE = 200
/** Rows that arrived while the page is open. Older ones are in the pages that were loaded. */
const ARRIVED_MAX = 2_000

/**
 * Reads logs page by page. While `isLive`, the server sends executions as they start and end, and they are put in
 * front.
 */
export function useLogs(body: LogSearchBody, isLive: boolean) {
  const project = useStore(currentProject)
  const request = { method: 'POST' as const, path: PATH, body: { ...body, limit: PAGE_SIZE } }
  useScreenRequest(request)
  const pages = useInfiniteQuery({
    queryKey: [project ?? '', PATH, 'POST', body],
    queryFn: ({ pageParam, signal }) =>
      callApi<Reply>({ ...request, body: { ...request.body, cursor: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  })
  const live = useArrivals(body, isLive && pages.data !== undefined, project)
  const rows = useMemo(
    () =>
      merge(
        live.entries,
        pages.data?.pages.flatMap(({ logs }) => logs),
      ),
    [live.entries, pages.data],
  )
  return {
    rows,
    error: pages.error as ApiFailure | null,
    liveState: live.state,
    isPending: pages.isPending,
    hasNextPage: pages.hasNextPage,
    isFetchingNextPage: pages.isFetchingNextPage,
    fetchNextPage: pages.fetchNextPage,
    refetch: pages.refetch,
  }
}

const NONE: readonly LogEntry[] = []

/** Collects the executions that the server sends while the page is open, the newest first. */
function useArrivals({ filters }: LogSearchBody, isActive: boolean, project: string | undefined) {
  const [entries, setEntries] = useState(NONE)
  const [state, setState] = useState<LiveState>('connecting')
  const query = new URLSearchParams(filters.map(({ field, value }) => [field, value])).toString()
  useEffect(() => {
    setEntries(NONE)
    setState('connecting')
    if (!isActive) return undefined
    const stop = new AbortController()
    let lastId: string | undefined
    void keepStreamOpen(stop.signal, {
      path: `/logs/stream${query && `?${query}`}`,
      lastId: () => lastId,
      onPosition: (id) => {
        lastId = id
      },
      onState: setState,
      onData: (data) => {
        const entry = JSON.parse(data) as LogEntry | { type: string }
        // Executions that the log has removed cannot be shown.
        if (!('id' in entry)) return
        setEntries((current) =>
          [entry, ...current.filter(({ id }) => id !== entry.id)]
            .toSorted((one, other) => other.timestamp.localeCompare(one.timestamp))
            .slice(0, ARRIVED_MAX),
        )
      },
    })
    return () => stop.abort()
  }, [query, isActive, project])
  return { entries, state }
}

/** Puts the newest rows in front of the others. A row of both is the newer one. */
export function merge(
  newest: readonly LogEntry[],
  rows: readonly LogEntry[] | undefined,
): LogEntry[] | undefined {
  if (!rows || newest.length === 0) return rows as LogEntry[] | undefined
  const ids = new Set(newest.map(({ id }) => id))
  return [...newest, ...rows.filter(({ id }) => !ids.has(id))]
}
