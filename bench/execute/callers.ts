import { connect, type Socket } from 'node:net'

export interface Load { url: string, path: string, headers: Record<string, string>, body: string, callers: number, seconds: number }
export interface Figures { perSecond: number, p50Ms: number, p99Ms: number, calls: number, failures: number }

/** Keeps `callers` connections busy, each with one call at a time, and measures every call. Raw sockets: the caller must not be the bottleneck. */
export async function load({ url, path, headers, body, callers, seconds }: Load): Promise<Figures> {
  const { hostname, port } = new URL(url)
  const head = Object.entries({ host: `${hostname}:${port}`, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers }).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const message = Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`)
  const times: number[] = []
  let failures = 0
  const endAt = performance.now() + seconds * 1_000
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: callers }, () => caller(Number(port), hostname, message, endAt, (ms, ok) => { times.push(ms); if (!ok) failures++ })))
  const elapsed = (performance.now() - startedAt) / 1_000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99), calls: times.length, failures }
}

function caller(port: number, host: string, message: Buffer, endAt: number, done: (ms: number, ok: boolean) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host, noDelay: true })
    let sentAt = 0
    let text = ''
    const send = () => { sentAt = performance.now(); socket.write(message) }
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
      if (text.length < end + 4 + length) return
      const now = performance.now()
      done(now - sentAt, text.startsWith('HTTP/1.1 200') && text.includes('"successful":true'))
      text = ''
      if (now < endAt) send()
      else socket.end()
    })
  })
}
