import type { CatalogOf } from '../../../catalog/index.ts'
import type { OpenTriggerRequests } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor, ProjectEncryptor } from '../../../platform/crypto/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { errorType, type Tracing, traced } from '../../../platform/telemetry/index.ts'
import type { TriggerItem } from '../publish-trigger-events.ts'
import { type IntervalSettings, nextInterval, retryDelay, shouldDisable, successDelay } from './interval.ts'
import { pollOnce } from './poll.ts'
import { PollFailed } from './read.ts'
import { newLog } from '../logs/new-log.ts'
import { decryptState, encryptState, isSameState } from './state.ts'
import type { ClaimedPoll, PollRecord } from './store.ts'

export interface PollDeps {
  encryptor: Encryptor
  clock: Clock
  catalogOf: CatalogOf
  requests: OpenTriggerRequests
  random(): number
  /** Records each poll as a trace. */
  tracing?: Tracing | undefined
}

export interface PollResult {
  record: PollRecord
  /** New items, which create events. */
  items: readonly TriggerItem[]
  /** Polling has failed for so long that the instance is disabled. */
  shouldDisable: boolean
}

/** For all requests of one poll. The lease is longer. */
const POLL_MS_MAX = 90_000
/** After this time no request for the details of an item starts. */
const DETAILS_MS_MAX = 60_000
const MESSAGE_CHARACTERS_MAX = 2_000
/** Errors that time alone does not fix. */
const PERMANENT_MEANINGS: readonly (string | undefined)[] = ['permission', 'not_found', 'invalid']

/** Polls one instance. A failure of the application is a result too. @throws the reason of the signal */
export async function runPoll(deps: PollDeps, poll: ClaimedPoll, signal: AbortSignal): Promise<PollResult> {
  const settings: IntervalSettings = {
    intervalSeconds: Number(poll.config['interval']) * 60,
    isManaged: poll.is_service_managed,
    random: deps.random(),
  }
  const attributes = {
    'patchbay.project_id': poll.project_id,
    'patchbay.trigger_id': poll.id,
    'patchbay.trigger_slug': poll.trigger_slug,
  }
  return traced(deps.tracing, `poll ${poll.trigger_slug}`, { isRoot: true, attributes }, async (span) => {
    try {
      const result = await pollApplication(deps, poll, settings, signal)
      span?.set({ 'patchbay.new_items': result.items.length })
      return result
    } catch (error) {
      if (signal.aborted || !(error instanceof PollFailed || error instanceof ApiError)) throw error
      span?.fail(errorType(error))
      return failedResult(await deps.encryptor.ofProject(poll.project_id), poll, settings, error)
    }
  })
}

async function pollApplication(
  { encryptor, clock, catalogOf, requests }: PollDeps,
  poll: ClaimedPoll,
  settings: IntervalSettings,
  signal: AbortSignal,
): Promise<PollResult> {
  const found = (await catalogOf(poll.project_id)).trigger(poll.trigger_slug, poll.version)
  if (!found?.trigger.poll)
    throw new ApiError(
      'TriggerType_NotFound',
      `The trigger type ${poll.trigger_slug} is not in version ${poll.version}, or does not poll.`,
    )
  const state = poll.state ? decryptState(encryptor, poll.id, poll.state) : undefined
  const send = await requests({
    projectId: poll.project_id,
    accountId: poll.connected_account_id,
    found,
    signal,
    deadlineMs: POLL_MS_MAX,
  })
  const polled = await pollOnce({
    send,
    trigger: { ...found.trigger, poll: found.trigger.poll },
    config: poll.config,
    state,
    now: () => clock.now(),
    deadlineAt: clock.now() + DETAILS_MS_MAX,
  })
  const interval = nextInterval(poll.interval_seconds, polled.items.length > 0, settings)
  const isUnchanged = state !== undefined && isSameState(state, polled.state)
  const own = await encryptor.ofProject(poll.project_id)
  return {
    items: polled.items,
    shouldDisable: false,
    record: {
      id: poll.id,
      claim: poll.claim,
      ok: true,
      interval_seconds: interval,
      delay_s: successDelay(interval, polled.hasMore, settings),
      log: polled.gap === undefined ? null : newLog(own, 'gap', polled.gap),
      state: isUnchanged ? null : encryptState(own, poll.id, polled.state),
    },
  }
}

function failedResult(
  own: ProjectEncryptor,
  poll: ClaimedPoll,
  settings: IntervalSettings,
  error: PollFailed | ApiError,
): PollResult {
  const { meaning, status, retryAfterMs } =
    error instanceof PollFailed
      ? error.response
      : { meaning: undefined, status: error.status, retryAfterMs: undefined }
  const isRateLimited = meaning === 'rate_limit'
  const message = error.message.slice(0, MESSAGE_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()
  const isPermanent = error instanceof ApiError ? status < 500 : PERMANENT_MEANINGS.includes(meaning)
  return {
    items: [],
    shouldDisable: !isRateLimited && shouldDisable(poll.failures + 1, poll.failing_for_s ?? 0, isPermanent),
    record: {
      id: poll.id,
      claim: poll.claim,
      ok: false,
      interval_seconds: poll.interval_seconds,
      delay_s: retryDelay(isRateLimited ? 0 : poll.failures, retryAfterMs, settings),
      state: null,
      // A cooldown of the rate limit (no request was sent) needs no action.
      log: isRateLimited && status === 0 ? null : newLog(own, 'failure', message),
    },
  }
}
