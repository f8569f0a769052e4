import { createStore, useStore } from '../api/store.ts'
import { onDemand } from './on-demand.tsx'

export interface Notice {
  title: string
  description?: string
}

/** Every notice of this page, oldest first. */
export const notices = createStore<readonly Notice[]>([])

/** Reports the result of an action that leaves the page as it is. Errors of forms belong into the form. */
export const showToast = (title: string, description?: string): void =>
  notices.set([...notices.get(), { title, ...(description !== undefined && { description }) }])

// Loaded with the first notice: most visits show none.
const ToastView = onDemand(async () => (await import('./toast-view.tsx')).ToastView)

export const Toasts = () => (useStore(notices).length === 0 ? null : <ToastView />)
