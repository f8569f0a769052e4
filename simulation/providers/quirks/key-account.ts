import type { Behaviour } from '../behaviour.ts'
import type { Incoming } from '../http.ts'

/** The key of the account at every provider that takes keys. */
export const KEY = 'key-0123456789'

/** A provider whose API accepts these requests, and rejects others with this reason. */
export const keyed = (accepts: (request: Incoming) => boolean, why: string): Behaviour => ({
  refresh: null,
  me: { accepts: ({ request }) => (accepts(request) ? undefined : why) },
})

/** The credentials that a user enters. */
export const account = (val: Record<string, unknown>) => () => ({ val })
