import { createServer } from 'node:http'

// Responds to `…/kb<n>` with a list of rows like those of a database, n KB of JSON altogether; no work behind it. The
// response to `…/slow<n>` takes n seconds.
const row = (n: number) => ({
  objectId: `xWMyZ4YEGZ${n}`,
  score: 1337 + n,
  playerName: 'Sean Plott',
  cheatMode: false,
  tags: ['a', 'b', 'c'],
  createdAt: '2026-02-03T09:12:44.120Z',
  updatedAt: '2026-02-03T09:12:44.120Z',
  note: 'x'.repeat(100),
})
const bodies = new Map<number, Buffer>()

function bodyOf(kilobytes: number): Buffer {
  let body = bodies.get(kilobytes)
  if (!body) {
    const rows = []
    while (Buffer.byteLength(JSON.stringify({ results: rows })) < kilobytes * 1_024)
      rows.push(
        ...Array.from({ length: Math.max(1, Math.floor(kilobytes / 2)) }, (_, n) => row(rows.length + n)),
      )
    bodies.set(kilobytes, (body = Buffer.from(JSON.stringify({ results: rows }))))
  }
  return body
}

const server = createServer((request, response) => {
  const body = bodyOf(Math.min(4_096, Number(/kb(\d+)/.exec(request.url ?? '')?.[1] ?? 1)))
  const seconds = Math.min(60, Number(/slow(\d+)/.exec(request.url ?? '')?.[1] ?? 0))
  request.resume()
  const reply = () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  }
  if (seconds === 0) reply()
  else setTimeout(reply, seconds * 1_000)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
})
