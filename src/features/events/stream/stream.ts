import type { Followed } from '../../../contract/events.ts'
import { messageText, placeText, retryText } from '../../../platform/sse.ts'
import { coalesce } from '../../../platform/db/batch.ts'
import type { Notifications } from '../../../platform/db/notifications.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Logger } from '../../../platform/log.ts'
import { openPayload } from '../outbox.ts'
import { type Next, now, type Passed, type Place, readOn } from './store.ts'
import { payload } from '../../webhooks/payload.ts'
import type { WebhookDeps } from '../../webhooks/service.ts'

export interface LiveDeps extends WebhookDeps {
  log: Logger
  /** Hears of events that committed anywhere: `heard` is told their project, `gap` that some may have been missed. */
  listen(heard: (projectId: string) => void, gap: () => void): Notifications
  /** How often an idle stream says something. Default 15,000. */
  heartbeatMs?: number | undefined
}

export interface Follower {
  place: Place
  /** Fires when the reader is gone. */
  signal: AbortSignal
  /** Asked at every heartbeat; the stream ends when it throws. */
  judgeAgain(): Promise<void>
}

export interface Live {
  /** What comes after a place, without waiting for it. */
  next(place: Place): Promise<{ items: Followed[]; last_event_id: string }>
  /** The place of a reader that has been at `after`: a place that was never reached, as after a restored backup, is now. */
  placeOf(after: string | undefined): Promise<number>
  /** Messages without an end. @throws ApiError Event_TooManyStreams */
  follow(follower: Follower): AsyncIterable<string>
  /** Ends all streams; their readers come back to another process. */
  close(): Promise<void>
}

const STREAMS_MAX = 500
const STREAMS_OF_PROJECT_MAX = 50
const READS_MAX = 10
const HEARTBEAT_MS = 15_000
/** Events of another project may stand in the way without a word of their end. */
const HELD_MS = 100
const RETRY_MS = 1_000

interface Stream {
  projectId: string
  wake(): void
}

/**
 * Streams of events. Each reads on from its place when PostgreSQL announces events of its project, so that every process has all of them whoever told them, and reads of
 * many streams share statements. Nothing is kept for a reader but its place.
 */
export function live({ db, encryptor, brand, log, listen, heartbeatMs = HEARTBEAT_MS }: LiveDeps): Live {
  const streams = new Set<Stream>()
  const read = coalesce<Place, Next>((places) => readOn(db, places), READS_MAX)
  let told: Notifications | undefined
  let closed = false

  const wake = (projectId?: string) => {
    for (const stream of streams) if (projectId === undefined || stream.projectId === projectId) stream.wake()
  }

  const itemOf = (event: Passed): Followed => ({
    event_id: event.id,
    ordering_key: event.ordering_key,
    payload: payload(
      { ...event, payload: event.encrypted_payload ? openPayload(encryptor, event.id, event.encrypted_payload) : undefined },
      'V3',
      brand.spell,
    ) as Followed['payload'],
  })

  function admit(projectId: string): void {
    const own = [...streams].filter((stream) => stream.projectId === projectId).length
    if (own >= STREAMS_OF_PROJECT_MAX || streams.size >= STREAMS_MAX)
      throw new ApiError(
        'Event_TooManyStreams',
        own >= STREAMS_OF_PROJECT_MAX
          ? `The project has ${own} streams open here.`
          : 'This server has all the streams open that it can hold.',
      )
  }

  async function* messages(
    { place: { after, ...wanted }, signal, judgeAgain }: Follower,
    stream: Stream,
    alarm: { ring: PromiseWithResolvers<void> },
  ): AsyncGenerator<string> {
    let at = after
    try {
      yield retryText(RETRY_MS) + placeText(String(at))
      let judgedAt = performance.now()
      while (!signal.aborted && !closed) {
        alarm.ring = Promise.withResolvers<void>()
        const { events, at: next, isHeld } = await read({ ...wanted, after: at })
        at = next
        if (events.length > 0) {
          yield events.map((event) => messageText(String(event.seq), JSON.stringify(itemOf(event)))).join('')
        } else {
          const timer = setTimeout(stream.wake, isHeld ? Math.min(HELD_MS, heartbeatMs) : heartbeatMs)
          await alarm.ring.promise
          clearTimeout(timer)
        }
        if (performance.now() - judgedAt < heartbeatMs) continue
        await judgeAgain()
        judgedAt = performance.now()
        yield placeText(String(at))
      }
    } catch (error) {
      log.debug({ err: error }, 'a stream of events ended')
    } finally {
      streams.delete(stream)
    }
  }

  return {
    async next(place) {
      const { events, at } = await read(place)
      return { items: events.map(itemOf), last_event_id: String(at) }
    },
    async placeOf(after) {
      const latest = await now(db)
      return after === undefined ? latest : Math.min(Number(after), latest)
    },
    follow(follower) {
      const { projectId } = follower.place
      admit(projectId)
      told ??= listen(wake, wake)
      const alarm = { ring: Promise.withResolvers<void>() }
      const stream: Stream = { projectId, wake: () => alarm.ring.resolve() }
      streams.add(stream)
      const leave = () => {
        streams.delete(stream)
        stream.wake()
      }
      if (follower.signal.aborted) leave()
      else follower.signal.addEventListener('abort', leave, { once: true })
      return messages(follower, stream, alarm)
    },
    async close() {
      closed = true
      wake()
      await told?.close()
    },
  }
}
