import { useEffect, useRef } from 'react'
import { keepStreamOpen } from './event-stream.ts'
import { queryClient } from './hooks.ts'
import { currentProject } from './project.ts'
import { createStore, useStore } from './store.ts'

/** An event of the project, as `GET /events/stream` sends it. */
export interface LiveEvent {
  event_id: string
  ordering_key: string | null
  payload: { type: string; timestamp?: string; data?: unknown }
}

/** `live`: events arrive at once. `paused`: the stream is broken, lists are read again every ten seconds. */
export type LiveState = 'connecting' | 'live' | 'paused'

export const liveState = createStore<LiveState>('connecting')
/** The latest events of this page, newest first. */
export const liveEvents = createStore<readonly LiveEvent[]>([])

const EVENTS_MAX = 500
/** The next page usually follows the same project, so the stream stays open for a moment. */
const CLOSE_MS = 1_000
const POLL_MS = 10_000

/** Paths of lists that an event may have changed, by the begin of its type (without the brand). */
const CHANGED: readonly [type: string, paths: readonly string[]][] = [
  ['connected_account.', ['/connected_accounts', '/users', '/trigger_instances', '/overview']],
  ['approval.', ['/approvals', '/overview']],
  ['trigger.', ['/trigger_instances', '/overview']],
  ['webhook.', ['/webhook_subscriptions', '/overview']],
]

/** Reads again what is on the page and may have changed. Every event is also in the list of events. */
function invalidate(type: string): void {
  const name = type.slice(type.indexOf('.') + 1)
  const paths = ['/events', ...CHANGED.flatMap(([start, lists]) => (name.startsWith(start) ? lists : []))]
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) =>
      typeof path === 'string' && paths.some((start) => path.startsWith(start)),
  })
}

function receive(event: LiveEvent): void {
  liveEvents.set([event, ...liveEvents.get()].slice(0, EVENTS_MAX))
  invalidate(event.payload.type)
}

/**
 * Follows the events of a project. One tab of the browser holds the stream (Web Locks) and passes events on to the
 * others (BroadcastChannel), because browsers allow six connections to a server. A tab that closes releases the lock,
 * and the next one continues after the last event that it received.
 * @returns a function that stops
 */
function follow(project: string): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel(`patchbay.live.${project}`)
  let lastId: string | undefined
  channel.onmessage = ({ data }: MessageEvent<{ state?: LiveState; event?: LiveEvent; id?: string }>) => {
    if (data.id !== undefined) lastId = data.id
    if (data.state) liveState.set(data.state)
    if (data.event) receive(data.event)
  }
  const onState = (state: LiveState) => {
    liveState.set(state)
    channel.postMessage({ state })
  }
  const run = () =>
    keepStreamOpen(stop.signal, {
      path: '/events/stream',
      onState,
      lastId: () => lastId,
      onPosition: (id) => {
        lastId = id
        channel.postMessage({ id })
      },
      onData: (data) => {
        const event = JSON.parse(data) as LiveEvent
        receive(event)
        channel.postMessage({ event })
      },
    })
  // Without Web Locks (plain http on another host than localhost) each tab has a stream of its own.
  const running = navigator.locks
    ? navigator.locks.request(`patchbay.live.${project}`, { signal: stop.signal }, run)
    : run()
  running.catch(() => undefined)
  return () => {
    stop.abort()
    channel.close()
  }
}

let users = 0
let stopFollowing: (() => void) | undefined
let followed: string | undefined

/**
 * Keeps the lists of the page up to date while it is shown. Returns the state, and the interval of polling for
 * `useApi`.
 */
export function useLive(): { state: LiveState; pollMs: number | false } {
  const project = useStore(currentProject)
  const state = useStore(liveState)
  useEffect(() => {
    users++
    const name = project ?? 'key'
    if (followed !== name) {
      stopFollowing?.()
      liveEvents.set([])
      liveState.set('connecting')
      stopFollowing = follow(name)
      followed = name
    }
    return () => {
      users--
      setTimeout(() => {
        if (users > 0) return
        stopFollowing?.()
        stopFollowing = undefined
        followed = undefined
      }, CLOSE_MS)
    }
  }, [project])
  return { state, pollMs: state === 'live' ? false : POLL_MS }
}

/** Calls `work` regularly while `isActive`, and the page can be seen. */
export function usePolling(isActive: boolean, milliseconds: number, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (!isActive) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) latest.current()
    }, milliseconds)
    return () => clearInterval(timer)
  }, [isActive, milliseconds])
}
