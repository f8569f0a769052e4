import { createServer } from 'node:http'

// Answers like a database row: about 300 bytes of JSON, no work behind it.
const BODY = JSON.stringify({ objectId: 'xWMyZ4YEGZ', score: 1337, playerName: 'Sean Plott', cheatMode: false, tags: ['a', 'b', 'c'], createdAt: '2026-02-03T09:12:44.120Z', updatedAt: '2026-02-03T09:12:44.120Z', note: 'x'.repeat(100) })
const HEAD = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) }

const server = createServer((_request, response) => { response.writeHead(200, HEAD); response.end(BODY) })
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => { process.send?.(server.address()) })
