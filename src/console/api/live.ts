import { createParser } from 'eventsource-parser'
import { useEffect, useRef } from 'react'
import { API_PATH } from './base.ts'
import { consoleHeaders } from './client.ts'
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
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 30_000
/** The server sends something every 15 seconds. Silence for longer means that the connection is lost. */
const SILENCE_MS = 40_000
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
 * Follows the events of a project. One tab of the browser holds the stream (Web Locks) and passes events on to the others
 * (BroadcastChannel), because browsers allow six connections to a server. A tab that closes releases the lock, and the
 * next one continues after the last event that it received.
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
    keepOpen(stop.signal, onState, {
      lastId: () => lastId,
      onPosition: (id) => {
        lastId = id
        channel.postMessage({ id })
      },
      onEvent: (event) => {
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

interface Receiver {
  lastId(): string | undefined
  onPosition(id: string): void
  onEvent(event: LiveEvent): void
}

/** Opens the stream again after each failure, with growing delays, until `signal` is aborted. */
async function keepOpen(
  signal: AbortSignal,
  onState: (state: LiveState) => void,
  receiver: Receiver,
): Promise<void> {
  let delay = RETRY_FIRST_MS
  while (!signal.aborted) {
    const isForbidden = await read(signal, receiver, () => {
      delay = RETRY_FIRST_MS
      onState('live')
    }).catch(() => false)
    if (signal.aborted) return
    onState('paused')
    if (isForbidden) return
    await new Promise((resolve) => setTimeout(resolve, delay))
    delay = Math.min(delay * 2, RETRY_MAX_MS)
  }
}

/** Reads one response until it ends. Returns whether the person may not read events at all. */
async function read(signal: AbortSignal, receiver: Receiver, onOpen: () => void): Promise<boolean> {
  const silence = new AbortController()
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const lastId = receiver.lastId()
    const response = await fetch(`${API_PATH}/events/stream`, {
      headers: {
        ...consoleHeaders(),
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || !response.body) return response.status === 403
    onOpen()
    const parser = createParser({
      onEvent: ({ data, id }) => {
        if (id !== undefined) receiver.onPosition(id)
        if (data) receiver.onEvent(JSON.parse(data) as LiveEvent)
      },
      onComment: (comment) => {
        if (comment.startsWith('position ')) receiver.onPosition(comment.slice('position '.length))
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream() as never).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      resetTimer()
      parser.feed(value as unknown as string)
    }
  } finally {
    clearTimeout(timer)
  }
}

let users = 0
let stopFollowing: (() => void) | undefined
let followed: string | undefined

/** Keeps the lists of the page up to date while it is shown. Returns the state, and the interval of polling for `useApi`. */
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
      // The next page usually follows the same project: wait before the stream is closed.
      setTimeout(() => {
        if (users > 0) return
        stopFollowing?.()
        stopFollowing = undefined
        followed = undefined
      }, RETRY_FIRST_MS)
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
