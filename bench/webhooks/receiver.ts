import { createServer } from 'node:http'

// Takes every POST with 204. Told how many to expect, it says when the first and the last of them came; with `warmUp`,
// when so many had come, and the time from then on. `latencies` collects how long after its telling each event came.
interface Asked {
  expect?: number
  warmUp?: number
  latencies?: true
}
let [expected, count, firstAt, warmUp] = [Infinity, 0, 0, 0]
let latencies: number[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
  })
  request.on('end', () => {
    response.writeHead(204).end()
    const at = performance.timeOrigin + performance.now()
    if (count++ === warmUp) {
      firstAt = at
      if (warmUp > 0) process.send?.({ isWarm: true })
    }
    const [, sentAt] = /"sent_at":([\d.]+)/.exec(Buffer.concat(chunks).toString('latin1')) ?? []
    if (sentAt) latencies.push(at - Number(sentAt))
    if (count === expected) process.send?.({ count, ms: at - firstAt })
  })
})
server.keepAliveTimeout = 60_000
process.on('message', ({ expect, warmUp: first = 0, latencies: includesLatencies }: Asked) => {
  if (expect !== undefined) {
    ;[expected, count, warmUp, latencies] = [expect, 0, first, []]
    // A request could arrive before this message, and would not be counted.
    process.send?.({ isReady: true })
  }
  if (includesLatencies) process.send?.({ count, latencies })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(server.address())
})
