import { connect, type Socket } from 'node:net'
import { median, quantile } from '../figures.ts'

export interface Load {
  url: string
  path: string
  /** Default POST. */
  method?: string
  headers: Record<string, string>
  /** Several are sent in turn. */
  body: string | readonly string[]
  callers: number
  seconds: number
  calls?: number
  /** How the end of a good answer looks. */ good?: RegExp
  /** Connects again after a lost connection, which counts as a failure. Default: it ends the load with an error. */
  reconnects?: boolean
}
export interface Figures {
  perSecond: number
  p50Ms: number
  p99Ms: number
  calls: number
  failures: number
}

/**
 * Keeps `callers` connections busy, each with one call at a time, and measures every call. Raw sockets: the
 * caller must not be the bottleneck.
 */
export async function load({
  url,
  path,
  method = 'POST',
  headers,
  body,
  callers,
  seconds,
  calls = Infinity,
  good = /"successful":true/,
  reconnects = false,
}: Load): Promise<Figures> {
  const { hostname, port } = new URL(url)
  const messages = [body].flat().map((text) => {
    const head = Object.entries({
      host: `${hostname}:${port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${text}`)
  })
  let sent = 0
  const nextMessage = () => messages[sent++ % messages.length]!
  const times: number[] = []
  let failures = 0
  let left = calls
  const endAt = performance.now() + seconds * 1_000
  const startedAt = performance.now()
  const goesOn = () => performance.now() < endAt && left-- > 0
  await Promise.all(
    Array.from({ length: callers }, () =>
      caller(Number(port), hostname, { nextMessage, good, reconnects }, goesOn, (ms, ok) => {
        times.push(ms)
        if (!ok) failures++
      }),
    ),
  )
  const elapsed = (performance.now() - startedAt) / 1_000
  return {
    perSecond: times.length / elapsed,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    calls: times.length,
    failures,
  }
}

/** Of the end of an answer, where both programs say how it went. */
const TAIL = 300

function caller(
  port: number,
  host: string,
  sending: { nextMessage: () => Buffer; good: RegExp; reconnects: boolean },
  goesOn: () => boolean,
  done: (ms: number, ok: boolean) => void,
): Promise<void> {
  const { nextMessage, good, reconnects } = sending
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host, noDelay: true })
    let [sentAt, missing] = [0, -1]
    let [head, tail] = ['', '']
    const send = () => {
      if (!goesOn()) return void socket.end()
      ;[sentAt, missing, head, tail] = [performance.now(), -1, '', '']
      socket.write(nextMessage())
    }
    socket.on('connect', send)
    let isLost = false
    socket.on('error', (error) => {
      if (!reconnects) return reject(error)
      isLost = true
      done(performance.now() - sentAt, false)
    })
    socket.on('close', () =>
      isLost && goesOn() ? resolve(caller(port, host, sending, goesOn, done)) : resolve(),
    )
    socket.on('data', (chunk: Buffer) => {
      let body = chunk
      if (missing < 0) {
        const before = head.length
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        body = chunk.subarray(end + 4 - before)
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1])
      }
      missing -= body.length
      tail = (tail + body.subarray(-TAIL).toString('latin1')).slice(-TAIL)
      if (missing > 0) return
      done(performance.now() - sentAt, head.startsWith('HTTP/1.1 200') && good.test(tail))
      send()
    })
  })
}
