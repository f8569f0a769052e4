import { type ComponentType, type ReactNode, useEffect } from 'react'
import { createStore, useStore } from '../api/store.ts'

/**
 * Returns a component whose code is loaded when it is shown for the first time. Until then it shows `fallback`. If the
 * code cannot be loaded, the error boundary around it receives the error.
 *
 * React's `lazy` and `Suspense` show the component 300 ms after the fallback at the earliest, and each page of the
 * console would wait that long when it is opened.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): ComponentType<P> {
  const state = createStore<{ Content?: ComponentType<P>; error?: unknown }>({})
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().then(
      (Content) => state.set({ Content }),
      (error: unknown) => state.set({ error }),
    )
  }
  return function OnDemand(props) {
    const { Content, error } = useStore(state)
    useEffect(start, [])
    if (error !== undefined) throw error
    return Content ? <Content {...props} /> : fallback
  }
}
