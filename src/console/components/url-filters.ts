import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Sets parameters of the URL; undefined and an empty text remove one. */
export type SetFilters = (changes: Readonly<Record<string, string | undefined>>) => void

/**
 * The filters of a page and what is open on it. They are in its URL, so that a link shows the same, and a reload and
 * the back button keep them. Changes replace the history entry; other parameters stay.
 */
export function useUrlFilters(): [filters: URLSearchParams, set: SetFilters] {
  const [filters, setFilters] = useSearchParams()
  const set = useCallback<SetFilters>(
    (changes) =>
      setFilters(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace: true },
      ),
    [setFilters],
  )
  return [filters, set]
}
