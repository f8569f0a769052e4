import { createStore } from './store.ts'

/** Why the person has to sign in again: the session has expired, or ended in another tab of the browser. */
export type SignInReason = 'expired' | 'signed_out'

/** Why requests wait for a sign-in: the shell then shows the dialog above the page. */
export const signInReason = createStore<SignInReason | undefined>(undefined)

let pending: PromiseWithResolvers<void> | undefined

/** Waits until the person has signed in again. Requests that fail together wait together. */
export function requestSignIn(reason: SignInReason = 'expired'): Promise<void> {
  pending ??= Promise.withResolvers<void>()
  if (signInReason.get() === undefined) signInReason.set(reason)
  return pending.promise
}

/** Continues the requests that wait for a sign-in. */
export function completeSignIn(): void {
  signInReason.set(undefined)
  pending?.resolve()
  pending = undefined
}
