import { createServer } from 'node:http'

// Answers `…/kb<n>` with a list of rows like those of a database, n KB of JSON altogether; no work behind it.
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
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
})
