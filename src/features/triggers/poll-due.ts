import type { CatalogOf } from '../../catalog/index.ts'
import type { OpenTriggerRequests } from '../../engine/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { delayAfter, delayAfterFailure, isHopeless, pauseAfter, type Rhythm } from './pause.ts'
import { type NewEvent, pollOnce } from './poll/poll.ts'
import { PollFailed } from './poll/read.ts'
import { isSame, openState, sealState } from './poll/state.ts'
import type { Due, Outcome } from './poll-store.ts'

export interface PollDeps {
  encryptor: Encryptor
  clock: Clock
  catalogOf: CatalogOf
  requests: OpenTriggerRequests
  random(): number
}

/** What came of a due poll; `hopeless`: it has failed for so long that the instance is to be disabled. */
export interface Ended {
  outcome: Outcome
  events: readonly NewEvent[]
  hopeless: boolean
}

/** Requests and details of one poll; the lease is longer. */
const POLL_MS_MAX = 90_000
/** Of which so much is left for what is under way when time is up. */
const DETAILS_MS_MAX = 60_000
const MESSAGE_MAX = 2_000
/** Refusals that time alone does not mend. */
const REFUSALS: readonly (string | undefined)[] = ['permission', 'not_found', 'invalid']

/** Polls one instance. What goes wrong is an outcome too. @throws what the signal aborts */
export async function pollDue(deps: PollDeps, due: Due, signal: AbortSignal): Promise<Ended> {
  const { encryptor, clock } = deps
  const rhythm: Rhythm = {
    intervalS: Number(due.config['interval']) * 60,
    isManaged: due.is_service_managed,
    random: deps.random(),
  }
  try {
    const found = (await deps.catalogOf(due.project_id)).trigger(due.trigger_slug, due.version)
    if (!found?.trigger.poll)
      throw new ApiError(
        'TriggerType_NotFound',
        `The trigger type ${due.trigger_slug} is not there in version ${due.version}, or does not poll.`,
      )
    const state = due.state ? openState(encryptor, due.id, due.state) : undefined
    const ask = await deps.requests({
      projectId: due.project_id,
      accountId: due.connected_account_id,
      found,
      signal,
      deadlineMs: POLL_MS_MAX,
    })
    const trigger = { ...found.trigger, poll: found.trigger.poll }
    const polled = await pollOnce({
      ask,
      trigger,
      config: due.config,
      state,
      now: () => clock.now(),
      deadlineAt: clock.now() + DETAILS_MS_MAX,
    })
    const pauseS = pauseAfter(due.interval_seconds, polled.events.length > 0, rhythm)
    return {
      events: polled.events,
      hopeless: false,
      outcome: {
        id: due.id,
        claim: due.claim,
        ok: true,
        interval_seconds: pauseS,
        delay_s: delayAfter(pauseS, polled.more, rhythm),
        log: polled.gap === undefined ? null : { kind: 'gap', message: polled.gap },
        state: state && isSame(state, polled.state) ? null : sealState(encryptor, due.id, polled.state),
      },
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof PollFailed || error instanceof ApiError)) throw error
    return failed(due, rhythm, error)
  }
}

function failed(due: Due, rhythm: Rhythm, error: PollFailed | ApiError): Ended {
  const { meaning, status, retryAfterMs } =
    error instanceof PollFailed
      ? error.answer
      : { meaning: undefined, status: error.status, retryAfterMs: undefined }
  const isLimited = meaning === 'rate_limit'
  const message = error.message.slice(0, MESSAGE_MAX).replaceAll('\0', '').toWellFormed()
  const isRefusal = error instanceof ApiError ? status < 500 : REFUSALS.includes(meaning)
  return {
    events: [],
    hopeless: !isLimited && isHopeless(due.failures + 1, due.failing_for_s ?? 0, isRefusal),
    outcome: {
      id: due.id,
      claim: due.claim,
      ok: false,
      interval_seconds: due.interval_seconds,
      delay_s: delayAfterFailure(isLimited ? 0 : due.failures, retryAfterMs, rhythm),
      state: null,
      // A pause that was asked for is no failure that anybody could do something about.
      log: isLimited && status === 0 ? null : { kind: 'failure', message },
    },
  }
}
