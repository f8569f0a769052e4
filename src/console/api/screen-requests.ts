import { useEffect } from 'react'
import type { ApiRequest } from './client.ts'
import { createStore } from './store.ts'

/** The requests of the screen, for "Show as code". */
export const screenRequests = createStore<readonly ApiRequest[]>([])

/** Adds a request to "Show as code" while the component is shown. `useApi` does this automatically. */
export function useScreenRequest(request: ApiRequest | undefined): void {
  const key = request && JSON.stringify(request)
  useEffect(() => {
    if (key === undefined) return undefined
    const own = JSON.parse(key) as ApiRequest
    screenRequests.set([...screenRequests.get(), own])
    return () => screenRequests.set(screenRequests.get().filter((item) => item !== own))
  }, [key])
}
