import { type StreamedEvent, streamEvents } from '../../contract/events/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import { eventStream } from '../../platform/sse.ts'
import { type ApiReply, CallError } from '../api-client/call.ts'
import { EXIT, type Io } from '../io.ts'
import { type Connection, credentialHeader } from '../api-client/connection.ts'
import { reasonOf } from './forward.ts'

export interface Message {
  id: string
  item: StreamedEvent
}

export interface FollowOptions {
  connection: Connection
  version: ApiVersion
  query: Readonly<Record<string, string>>
  lastEventId: string | undefined
  /** Ends the command, for `--for`. */
  ended: AbortSignal | undefined
  pause(ms: number): Promise<unknown>
}

export interface StreamObserver {
  opened(place: string): void
  lost(reason: string, place: string | undefined): void
  /** The next message is read when this one has been handled. */
  message(message: Message): Promise<void>
}

/** The server sends something every 15 seconds. */
const SILENCE_MAX_MS = 45_000
const PAUSE_FIRST_MS = 500
const PAUSE_MAX_MS = 10_000
/** Of one message. The largest event is smaller. */
const MESSAGE_MAX = 32 * 1024 * 1024

/**
 * Reads the event stream, and reconnects after the last message whenever the connection breaks. Returns
 * undefined when `ended` fires, or the response with which the server rejected the request.
 * @throws CallError if the first connection fails
 */
export async function followEvents(
  io: Io,
  { connection, version, query, lastEventId, ended, pause }: FollowOptions,
  observer: StreamObserver,
): Promise<ApiReply | undefined> {
  const headers = { ...credentialHeader(connection, streamEvents.audience), accept: 'text/event-stream' }
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
  const url = `${connection.url}/api/${version}${streamEvents.path}${search}`
  let place = lastEventId
  let isKnown = false
  let pauseMs = PAUSE_FIRST_MS
  for (;;) {
    const silence = new AbortController()
    const signal = AbortSignal.any([silence.signal, ...(ended ? [ended] : [])])
    let reason = 'The server closed the stream.'
    try {
      const response = await (io.fetch ?? fetch)(url, {
        headers: { ...headers, ...(place === undefined ? {} : { 'last-event-id': place }) },
        redirect: 'manual',
        signal,
      })
      const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')
      if (!isStream && !(isKnown && response.status >= 429)) return await refusalOf(response, connection)
      if (!isStream) reason = `The server returned ${response.status}.`
      else
        for await (const message of messagesOf(response, silence)) {
          if (!isKnown && message.id !== undefined) observer.opened(message.id)
          isKnown = true
          pauseMs = PAUSE_FIRST_MS
          if (message.item) await observer.message(message as Message)
          place = message.id ?? place
        }
    } catch (error) {
      if (ended?.aborted) return undefined
      if (error instanceof CallError) throw error
      if (!isKnown)
        throw new CallError(
          `The server at ${connection.url} cannot be reached (${reasonOf(error as Error)}).`,
          'Start it with `patchbay start`, or set --url or PATCHBAY_URL.',
          EXIT.unreachable,
          error,
        )
      reason = silence.signal.aborted
        ? `The server sent nothing for ${SILENCE_MAX_MS / 1_000} seconds.`
        : `The connection broke (${reasonOf(error as Error)}).`
    }
    if (ended?.aborted) return undefined
    observer.lost(reason, place)
    await pause(pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)
  }
}

async function* messagesOf(
  { body }: Response,
  silence: AbortController,
): AsyncGenerator<{ id: string | undefined; item?: StreamedEvent }> {
  let read: { id: string; item: StreamedEvent }[] = []
  let since = 0
  const stream = eventStream((data, _type, id = '') => {
    read.push({ id, item: JSON.parse(data) as StreamedEvent })
    since = 0
  })
  let timer: NodeJS.Timeout | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MAX_MS)
  }
  try {
    restartTimer()
    for await (const chunk of body ?? []) {
      clearTimeout(timer)
      since += chunk.length
      stream.push(Buffer.from(chunk))
      if (since > MESSAGE_MAX) throw new Error('a message is too large')
      yield* read
      read = []
      // A position without a message: everything before it has been read.
      yield { id: stream.lastId }
      restartTimer()
    }
  } finally {
    clearTimeout(timer)
  }
}

async function refusalOf(response: Response, { url }: Connection): Promise<ApiReply> {
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch (cause) {
    throw new CallError(
      `${url} returned ${response.status} without an event stream, so it is not a Patchbay server, or a ` +
        'proxy responded.',
      'Check --url or PATCHBAY_URL.',
      EXIT.unreachable,
      cause,
    )
  }
}
