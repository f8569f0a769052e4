import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { searchLogs } from '../../../contract/logs/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { type ApiFailure, callApi, currentProject, useScreenRequest, useStore } from '../../api/index.ts'
import type { LogSearchBody } from './filters.ts'

type Reply = ReplyOf<typeof searchLogs>
export type LogEntry = Reply['logs'][number]

const PATH = '/logs/tool_execution'
const PAGE_SIZE = 200
/** The first page of a list without history needs no more rows than the screen shows. */
const TAIL_SIZE = 100
const TAIL_MS = 2_000

/**
 * Reads logs page by page. While `isLive`, the newest ones are read every two seconds and put in front: only those that
 * the page does not have, and those that were still running.
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
  const { time_range: _range, ...unbounded } = body
  const tail = useQuery<Reply, ApiFailure>({
    queryKey: [project ?? '', PATH, 'tail', unbounded],
    queryFn: ({ signal }) => callApi<Reply>({ ...request, body: { ...unbounded, limit: TAIL_SIZE } }, signal),
    enabled: isLive && pages.data !== undefined,
    refetchInterval: isLive ? TAIL_MS : false,
    staleTime: 0,
  })
  const rows = useMemo(
    () =>
      merge(
        isLive ? (tail.data?.logs ?? []) : [],
        pages.data?.pages.flatMap(({ logs }) => logs),
      ),
    [isLive, tail.data, pages.data],
  )
  return {
    rows,
    error: pages.error as ApiFailure | null,
    tailError: isLive ? tail.error : null,
    isPending: pages.isPending,
    hasNextPage: pages.hasNextPage,
    isFetchingNextPage: pages.isFetchingNextPage,
    fetchNextPage: pages.fetchNextPage,
    refetch: pages.refetch,
  }
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
