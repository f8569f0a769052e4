import { createParser } from 'eventsource-parser'
import { API_PATH } from './base.ts'
import { consoleHeaders } from './client.ts'
import { requestSignIn } from './sign-in-request.ts'

const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 30_000
/** The server sends something every 15 seconds. Silence for longer means that the connection is lost. */
const SILENCE_MS = 40_000
const POSITION = 'position '

export interface StreamReceiver {
  /** Path of the stream below `/api/v3.1`, with its query. */
  path: string
  /** Id of the last message: the stream continues after it. */
  lastId(): string | undefined
  onPosition(id: string): void
  onData(data: string): void
  onState(state: 'live' | 'paused'): void
}

/** Opens a stream of the API again after each failure, with growing delays, until `signal` is aborted. */
export async function keepStreamOpen(signal: AbortSignal, receiver: StreamReceiver): Promise<void> {
  let delay = RETRY_FIRST_MS
  while (!signal.aborted) {
    const isForbidden = await read(signal, receiver, () => {
      delay = RETRY_FIRST_MS
      receiver.onState('live')
    }).catch(() => false)
    if (signal.aborted) return
    receiver.onState('paused')
    if (isForbidden) return
    await new Promise((resolve) => setTimeout(resolve, delay))
    delay = Math.min(delay * 2, RETRY_MAX_MS)
  }
}

/** Reads one response until it ends. Returns whether the person may not read the stream at all. */
async function read(signal: AbortSignal, receiver: StreamReceiver, onOpen: () => void): Promise<boolean> {
  const silence = new AbortController()
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const lastId = receiver.lastId()
    const response = await fetch(`${API_PATH}${receiver.path}`, {
      headers: {
        ...consoleHeaders(),
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status === 401) void requestSignIn()
    if (!response.ok || !response.body) return response.status === 403
    onOpen()
    const parser = createParser({
      onEvent: ({ data, id }) => {
        if (id !== undefined) receiver.onPosition(id)
        if (data) receiver.onData(data)
      },
      onComment: (comment) => {
        if (comment.startsWith(POSITION)) receiver.onPosition(comment.slice(POSITION.length))
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
