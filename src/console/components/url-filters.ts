import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Sets a filter in the URL; no value, an empty one and `all` remove it. */
export type SetFilter = (name: string, value: string | undefined) => void

/** The filters of a page, which are in its URL, so that a link shows the same. Changes replace the history entry. */
export function useUrlFilters(): [filters: URLSearchParams, set: SetFilter] {
  const [filters, setFilters] = useSearchParams()
  const set = useCallback<SetFilter>(
    (name, value) =>
      setFilters(
        (current) => {
          const next = new URLSearchParams(current)
          if (value === undefined || value === '' || value === 'all') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [setFilters],
  )
  return [filters, set]
}
