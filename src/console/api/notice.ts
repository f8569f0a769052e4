import { createStore } from './store.ts'

/** What has changed for the person while the page is open. */
export interface SessionNotice {
  text: string
  /** Whether the page has to be loaded again for it. */
  needsReload?: boolean
}

export const sessionNotice = createStore<SessionNotice | undefined>(undefined)
