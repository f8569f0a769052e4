import type { ResolvedTrigger, TriggerArguments } from '../../../catalog/index.ts'
import type { OpenTriggerRequests } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type PolledItems, pollOnce } from '../polling/poll.ts'
import { PollFailed } from '../polling/read.ts'
import { applicationError } from './application-error.ts'

/** The caller waits for this poll. */
const FIRST_POLL_MS_MAX = 40_000

export interface FirstPollDeps {
  requests: OpenTriggerRequests
  clock: Clock
}

/**
 * Polls once before an instance is created: whether the application accepts the configuration, and which items exist
 * already, since those create no events. @throws ApiError 422 if the application or the account rejects it, 503 if the
 * application is unavailable
 */
export async function pollFirstTime(
  { requests, clock }: FirstPollDeps,
  call: {
    projectId: string
    accountId: string
    found: ResolvedTrigger
    config: TriggerArguments
    signal: AbortSignal
  },
): Promise<PolledItems> {
  const { found, config } = call
  const { trigger, toolkit } = found
  if (!trigger.poll) throw new Error(`${trigger.slug} does not poll.`)
  try {
    return await pollOnce({
      send: await requests({ ...call, deadlineMs: FIRST_POLL_MS_MAX }),
      trigger: { ...trigger, poll: trigger.poll },
      config,
      state: undefined,
      now: () => clock.now(),
      deadlineAt: clock.now() + FIRST_POLL_MS_MAX,
    })
  } catch (error) {
    if (!(error instanceof PollFailed)) throw applicationError(error, undefined, '')
    const message = `${toolkit.name} could not be polled for ${trigger.slug}: ${error.message}`
    throw applicationError(error, error.response.meaning, message)
  }
}
