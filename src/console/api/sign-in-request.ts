import { createStore } from './store.ts'

/** Whether requests wait for a sign-in: the shell then shows the dialog above the page. */
export const isSignInNeeded = createStore(false)

let pending: PromiseWithResolvers<void> | undefined

/** Waits until the person has signed in again. Requests that fail together wait together. */
export function requestSignIn(): Promise<void> {
  pending ??= Promise.withResolvers<void>()
  isSignInNeeded.set(true)
  return pending.promise
}

/** Continues the requests that wait for a sign-in. */
export function completeSignIn(): void {
  isSignInNeeded.set(false)
  pending?.resolve()
  pending = undefined
}
