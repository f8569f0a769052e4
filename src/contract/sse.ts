/** A message as a stream has it: its data, which is one line, and the place after it. */
export const messageText = (id: string, data: string): string => `id: ${id}\ndata: ${data}\n\n`

/** Moves the place of a reader on, and keeps the connection alive: a message without data is none (WHATWG HTML 9.2.6). */
export const placeText = (id: string): string => `: still here\nid: ${id}\n\n`

/** How long a client is to wait before it connects again. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`

/** A stream of server-sent events as it is read. */
export interface EventStream {
  /** Takes the next bytes. */
  push(chunk: Buffer): void
  /** Id of the last event that had one; where a stream can be taken up again. */
  readonly lastId: string | undefined
  /** How long the server wants a client to wait before that, in milliseconds. */
  readonly retryMs: number | undefined
}

/**
 * Reads server-sent events (WHATWG HTML, "Server-sent events", 9.2.6) and hands on the data of each message. Events of another type than
 * `message`, and those without data, are none for us. How much may come is the sender's bound; each byte is looked at once.
 */
export function eventStream(
  onData: (data: string, type: string, id: string | undefined) => void,
): EventStream {
  const decoder = new TextDecoder()
  /** Of the line that has not ended. */
  let pieces: string[] = []
  let afterReturn = false
  let data: string[] = []
  let type = ''
  let id: string | undefined
  const stream = { lastId: undefined as string | undefined, retryMs: undefined as number | undefined, push }

  function push(chunk: Buffer): void {
    let text = decoder.decode(chunk, { stream: true })
    if (text === '') return
    if (afterReturn && text.startsWith('\n')) text = text.slice(1)
    afterReturn = text.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    pieces.push(lines[0]!)
    if (lines.length === 1) return
    line(pieces.join(''))
    for (const whole of lines.slice(1, -1)) line(whole)
    pieces = [lines.at(-1)!]
  }

  function line(text: string): void {
    if (text === '') return dispatch()
    const at = text.indexOf(':')
    const name = at < 0 ? text : text.slice(0, at)
    const value = at < 0 ? '' : text.slice(text[at + 1] === ' ' ? at + 2 : at + 1)
    if (name === 'data') data.push(value)
    else if (name === 'event') type = value
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) stream.retryMs = Number(value)
  }

  function dispatch(): void {
    if (id !== undefined) stream.lastId = id
    const [whole, kind] = [data.join('\n'), type]
    data = []
    type = ''
    if (whole !== '') onData(whole, kind || 'message', stream.lastId)
  }

  return stream
}
