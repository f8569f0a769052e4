import type { ResolvedTrigger, TriggerArguments } from '../../catalog/index.ts'
import type { OpenTriggerRequests } from '../../engine/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type Polled, pollOnce } from './poll/poll.ts'
import { PollFailed } from './poll/read.ts'

/** Of the one poll that a caller waits for. */
const FIRST_MS = 40_000

export interface FirstPollDeps {
  requests: OpenTriggerRequests
  clock: Clock
}

/**
 * Asks the application once: whether it takes the configuration, and what is there already, which makes no events. @throws ApiError 422 when the application or the account
 * does not play along, 503 when the application cannot be asked
 */
export async function firstPoll(
  { requests, clock }: FirstPollDeps,
  call: {
    projectId: string
    accountId: string
    found: ResolvedTrigger
    config: TriggerArguments
    signal: AbortSignal
  },
): Promise<Polled> {
  const { found, config } = call
  const { trigger, toolkit } = found
  if (!trigger.poll) throw new Error(`${trigger.slug} does not poll.`)
  try {
    const ask = await requests({ ...call, deadlineMs: FIRST_MS })
    return await pollOnce({
      ask,
      trigger: { ...trigger, poll: trigger.poll },
      config,
      state: undefined,
      now: () => clock.now(),
      deadlineAt: clock.now() + FIRST_MS,
    })
  } catch (error) {
    if (error instanceof ApiError && UNUSABLE.includes(error.slug))
      throw new ApiError('TriggerInstance_ConnectionNotUsable', error.message, { cause: error })
    if (!(error instanceof PollFailed)) throw error
    const { meaning } = error.answer
    const text = `${toolkit.name} was asked for what ${trigger.slug} listens to: ${error.message}`
    if (meaning === 'reauth')
      throw new ApiError('TriggerInstance_ConnectionNotUsable', text, { cause: error })
    throw new ApiError(
      meaning === 'transient' || meaning === 'rate_limit'
        ? 'ActionExecute_UpstreamUnavailable'
        : 'TriggerInstance_ApplicationRefused',
      text,
      { cause: error },
    )
  }
}

const UNUSABLE: readonly string[] = [
  'ActionExecute_ConnectedAccountExpired',
  'ActionExecute_ConnectedAccountNotActive',
]
