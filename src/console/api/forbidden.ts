import { createStore } from './store.ts'

/** Number of requests that were rejected because the person lacks a permission. The shell then reads them again. */
export const rejections = createStore(0)

/** Reports that the server has rejected a request of the person: the role may have changed since the sign-in. */
export const reportForbidden = (): void => rejections.set(rejections.get() + 1)
