import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { type ApiRequest, callApi } from './client.ts'
import { ApiFailure } from './failure.ts'
import { currentProject } from './project.ts'
import { useScreenRequest } from './screen-requests.ts'
import { isReachable } from './reachability.ts'
import { useStore } from './store.ts'
import { notifyTabs, onTabMessage } from './tabs.ts'

const FRESH_MS = 10_000
const RETRIES_MAX = 2

/** The cache of responses. A failed request is repeated only if the server or the network failed. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < RETRIES_MAX && error instanceof ApiFailure && (error.status === 0 || error.status >= 502),
    },
  },
})

isReachable.subscribe(() => {
  // What failed meanwhile, and what may have changed: the server was restarted, perhaps with another release.
  if (isReachable.get()) void queryClient.invalidateQueries()
})
onTabMessage((message) => {
  if (message.type === 'changed') void invalidatePaths(message.paths, message.project)
})

/** Reads again what starts with one of the paths, in every project or in one. */
export const invalidatePaths = (paths: readonly string[], project?: string): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [owner, path] }) =>
      typeof path === 'string' &&
      (project === undefined || owner === project) &&
      paths.some((start) => path.startsWith(start)),
  })

/** Key of cached responses. It starts with the project, so that no page shows data of another one. */
export const keyOf = (project: string | undefined, { method = 'GET', path, query, body }: ApiRequest) =>
  [project ?? '', path, method, query ?? {}, body ?? null] as const

/**
 * Reads from the API. The request appears in "Show as code".
 * @param request undefined while something is missing that it needs
 */
export function useApi<T>(
  request: ApiRequest | undefined,
  options: { refetchInterval?: number | false; keepPrevious?: boolean } = {},
): UseQueryResult<T, ApiFailure> {
  const project = useStore(currentProject)
  useScreenRequest(request)
  return useQuery<T, ApiFailure>({
    queryKey: request ? keyOf(project, request) : ['none'],
    queryFn: ({ signal }) => callApi<T>(request as ApiRequest, signal),
    enabled: request !== undefined,
    ...(options.refetchInterval !== undefined && { refetchInterval: options.refetchInterval }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  })
}

interface Page<T> {
  items: T[]
  next_cursor?: string | null
}

/** Reads a list page by page, with the cursors of the API. `rows` has the pages that were loaded so far. */
export function useApiList<T>(request: ApiRequest | undefined, pageSize = 50) {
  const project = useStore(currentProject)
  const first = request && { ...request, query: { limit: pageSize, ...request.query } }
  useScreenRequest(first)
  const result = useInfiniteQuery({
    queryKey: first ? [...keyOf(project, first), 'pages'] : ['none'],
    queryFn: ({ pageParam, signal }) =>
      callApi<Page<T>>(
        { ...(first as ApiRequest), query: { ...first?.query, cursor: pageParam || undefined } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    enabled: request !== undefined,
  })
  return {
    ...result,
    error: result.error as ApiFailure | null,
    rows: result.data?.pages.flatMap((page) => page.items),
  }
}

/**
 * Changes something with the API, then reads again what starts with one of the paths in `invalidates`, in this tab and
 * in the others. The caller shows `error`.
 */
export function useApiMutation<Input, T = unknown>(
  requestOf: (input: Input) => ApiRequest,
  {
    invalidates = [],
    onSuccess,
  }: { invalidates?: readonly string[]; onSuccess?: (reply: T, input: Input) => void } = {},
) {
  return useMutation<T, ApiFailure, Input>({
    mutationFn: (input) => callApi<T>(requestOf(input)),
    async onSuccess(reply, input) {
      // First, so that a form that forgets its input shows the new values.
      await invalidatePaths(invalidates)
      notifyTabs({ type: 'changed', project: currentProject.get(), paths: invalidates })
      onSuccess?.(reply, input)
    },
  })
}
