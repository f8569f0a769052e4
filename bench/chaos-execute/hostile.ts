import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const whole = (body: string) => `${JSON_HEAD}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const BOMB = gzipSync(Buffer.alloc(20 * 1024 * 1024))
const TRICKLE_MS = 100

/** What an application may do to a call, by name. */
export const MODES: Readonly<Record<string, (socket: Socket, path: string) => void>> = {
  good: (socket) => socket.write(whole('{"done":true}')),
  refuses: (socket) => socket.write(whole('{"message":"no"}').replace('200 OK', '422 Unprocessable Content')),
  fails: (socket) =>
    socket.write(whole('{"message":"broken"}').replace('200 OK', '500 Internal Server Error')),
  hangs: () => {},
  cuts: (socket) => socket.end(`${JSON_HEAD}content-length: 500\r\n\r\n{"half":`),
  cuts_at_once: (socket) => socket.destroy(),
  says_too_much: (socket) => socket.end(`${JSON_HEAD}content-length: 100000\r\n\r\n{"done":true}`),
  says_too_little: (socket) => socket.end(`${JSON_HEAD}content-length: 4\r\n\r\n{"done":true}`),
  says_nonsense: (socket) => socket.end(`${JSON_HEAD}content-length: many\r\ncontent-length: 3\r\n\r\n{}`),
  garbage: (socket) => socket.end(Buffer.from('00ff17fe48545450ff0d0a0d0a', 'hex')),
  no_json: (socket) => socket.write(whole('{"done":tru')),
  turns_around: (socket, path) =>
    socket.write(`HTTP/1.1 302 Found\r\nlocation: ${path}\r\ncontent-length: 0\r\n\r\n`),
  trickles: (socket) => {
    socket.write(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\n`)
    const timer = setInterval(() => socket.write('1\r\n \r\n'), TRICKLE_MS)
    socket.on('close', () => clearInterval(timer))
  },
  swells: (socket) =>
    socket.write(
      Buffer.concat([
        Buffer.from(`${JSON_HEAD}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`),
        BOMB,
      ]),
    ),
}

export interface Hostile {
  url: string
  /** Marks of calls that may have changed something, as they reached it. */
  reached: Set<string>
  /** Connections that are open. */
  open(): number
  close(): void
}

/**
 * An application that treats each call as its path says: `/<mode>/<mark>`. Written on sockets, because no
 * HTTP server would do this.
 */
export async function startHostile(): Promise<Hostile> {
  const reached = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk)
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(text) ?? []
      const [, mode = '', mark = ''] = path.split('/')
      text = ''
      if (method !== 'GET') reached.add(mark)
      ;(MODES[mode] ?? (MODES['good'] as (typeof MODES)[string]))(socket, path)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    open: () => sockets.size,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
