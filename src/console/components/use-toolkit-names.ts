import { useQueries } from '@tanstack/react-query'
import { callApi, currentProject, keyOf, may, useMe, useStore } from '../api/index.ts'

/** Applications whose names are read, each with a request. Of others, the slug is shown. */
const NAMES_MAX = 30

/**
 * Returns a function that names applications for people: `GitHub` for `github`. Until the names are read, and for
 * applications that do not exist any more, it returns the slug.
 */
export function useToolkitNames(slugs: readonly string[]): (slug: string) => string {
  const project = useStore(currentProject)
  const isAllowed = may(useMe().data, 'toolkits:read')
  const toolkits = useQueries({
    queries: [...new Set(slugs)].slice(0, NAMES_MAX).map((slug) => {
      const request = { path: `/toolkits/${encodeURIComponent(slug)}` }
      return {
        queryKey: keyOf(project, request),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          callApi<{ slug: string; name: string }>(request, signal),
        enabled: isAllowed,
        staleTime: Infinity,
      }
    }),
  })
  return (slug) => toolkits.find(({ data }) => data?.slug === slug)?.data?.name ?? slug
}
