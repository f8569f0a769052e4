import { useRef } from 'react'

/**
 * Returns the object that a dialog shows: as it was last, when it is in the list no more. Its form may have input.
 * @param id undefined or null while the dialog is closed
 */
export function useLastFound<T>(id: string | null | undefined, found: T | undefined): T | undefined {
  const last = useRef<{ id: string | null | undefined; value: T }>(undefined)
  if (found !== undefined) last.current = { id, value: found }
  return found ?? (last.current?.id === id ? last.current?.value : undefined)
}
