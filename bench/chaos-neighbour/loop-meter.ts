import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

// Loaded into the server under attack before its program (`--import`). Measures the processor time of each turn of the
// event loop: the time that a new request waits for work that nothing interrupts. Waiting for a processor core is not
// part of it, so that other programs on the machine do not change it much.

/** What the event loop did since the last request for it. */
export interface LoopFigures {
  /** Processor time of the longest turn, in milliseconds. */
  longestMs: number
  /** Turns that took longer than `LONG_MS`. */
  longTurns: number
}

const LONG_MS = 5
const CHECK_EVERY_MS = 1

const socket = process.env['LOOP_METER_SOCKET']
if (socket && isMainThread) {
  delete process.env['LOOP_METER_SOCKET']
  let figures: LoopFigures = { longestMs: 0, longTurns: 0 }
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let before = usedMs()
  // Timers run once in each turn, so that between two runs the thread does the work of one turn.
  setInterval(() => {
    const now = usedMs()
    const ms = now - before
    before = now
    if (ms > figures.longestMs) figures.longestMs = ms
    if (ms > LONG_MS) figures.longTurns++
  }, CHECK_EVERY_MS).unref()
  createServer((_request, response) => {
    response.end(JSON.stringify(figures))
    figures = { longestMs: 0, longTurns: 0 }
  })
    .listen(socket)
    .unref()
}
