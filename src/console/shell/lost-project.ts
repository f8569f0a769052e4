import { useRef } from 'react'

/**
 * Whether the page shows a project that the person has lost since the page was opened. The page stays until the person
 * leaves it, because it may have input.
 * @param isKnown whether the person may use the project now
 */
export function useIsProjectLost(isKnown: boolean, project: string | undefined, location: string): boolean {
  const opened = useRef<{ project: string | undefined; location: string }>(undefined)
  if (isKnown) opened.current = { project, location }
  return !isKnown && opened.current?.project === project && opened.current?.location === location
}
