import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { startConsoleServer } from './server.ts'
import { median, quantile } from '../figures.ts'

// What a person waits for: the size of the first load, the time until the first page can be used, and the frames while
// a list of 100,000 executions scrolls. The server is a new one on this machine; the list is in the browser, so that
// only the page is measured. Other programs of the machine change times by the clock, so the processor time of the
// browser and of the server is printed next to them.
//
//   npm run bench:console [runs]

const RUNS = Number(process.argv[2] ?? 5)
const ROWS = 100_000
const TARGETS = { kilobytes: 200, interactiveMs: 1_500, slowFramesShare: 0.05 }
/** Two frames at 60 Hz: a longer one is seen as a jerk. */
const SLOW_FRAME_MS = 34
const SCROLL_FRAMES = 240

const say = (text: string) => process.stdout.write(`${text}\n`)
const verdict = (isGood: boolean) => (isGood ? 'ok' : 'MISSED')

const server = await startConsoleServer()
try {
  const loads = []
  for (let run = 0; run < RUNS; run++) loads.push(await measureLoad())
  const kilobytes = median(loads.map((one) => one.bytes)) / 1_024
  const times = loads.map((one) => one.milliseconds)
  const interactive = median(times)
  const { frames, rows, processor } = await measureScrolling()
  const slow = frames.filter((frame) => frame > SLOW_FRAME_MS).length / frames.length
  say(`console, ${RUNS} runs, load of the machine ${loadavg()[0]?.toFixed(1)}`)
  say(
    `  first load     ${kilobytes.toFixed(0)} KB compressed (target ${TARGETS.kilobytes}: ` +
      `${verdict(kilobytes <= TARGETS.kilobytes)})`,
  )
  say(
    `  interactive    ${interactive.toFixed(0)} ms (target ${TARGETS.interactiveMs}: ` +
      `${verdict(interactive <= TARGETS.interactiveMs)}), minimum ${Math.min(...times).toFixed(0)} ms; ` +
      `processor of the browser ${spread(loads.map((one) => one.processor.browserMs))} ms, ` +
      `of the server ${spread(loads.map((one) => one.processor.serverMs))} ms`,
  )
  say(
    `  scrolling      ${ROWS.toLocaleString('en')} rows, ${rows} of them in the page; frame p50 ` +
      `${median(frames).toFixed(1)} ms, ` +
      `p95 ${quantile(frames, 0.95).toFixed(1)} ms, ${(slow * 100).toFixed(1)} % slower than ${SLOW_FRAME_MS} ms ` +
      `(target ${TARGETS.slowFramesShare * 100} %: ${verdict(slow <= TARGETS.slowFramesShare)}); ` +
      `processor of the browser ${(processor.browserMs / frames.length).toFixed(1)} ms a frame`,
  )
} finally {
  await server.close()
}

/** Writes the median and the minimum of measured values. */
function spread(list: number[]): string {
  return `${median(list).toFixed(0)} (minimum ${Math.min(...list).toFixed(0)})`
}

interface ProcessorTime {
  browserMs: number
  serverMs: number
}

/** Measures the processor time that the browser and the server use for some work. */
async function measureProcessor<T>(work: () => Promise<T>): Promise<{ result: T; processor: ProcessorTime }> {
  const before = await server.processorTime()
  const result = await work()
  const after = await server.processorTime()
  return {
    result,
    processor: {
      browserMs: after.browserMs - before.browserMs,
      serverMs: after.serverMs - before.serverMs,
    },
  }
}

/** Opens the first page with an empty cache, until its heading is there and a click in the navigation would work. */
async function measureLoad(): Promise<{ bytes: number; milliseconds: number; processor: ProcessorTime }> {
  const page = await server.open(server.projectKey)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const { result: milliseconds, processor } = await measureProcessor(async () => {
    const start = performance.now()
    await page.goto(`${server.url}/console`, { waitUntil: 'commit' })
    await page.locator('.shell h1').first().waitFor()
    await page.getByRole('link', { name: 'Logs', exact: true }).click({ trial: true })
    return performance.now() - start
  })
  await page.waitForLoadState('networkidle')
  await page.close()
  return { bytes, milliseconds, processor }
}

/** Scrolls the logs for some seconds, and returns the length of each frame in milliseconds. */
async function measureScrolling(): Promise<{ frames: number[]; rows: number; processor: ProcessorTime }> {
  const page = await server.open(server.projectKey, { viewport: { width: 1280, height: 800 } })
  await page.route('**/api/v3.1/logs/tool_execution', (route) =>
    route.fulfill({
      json: { logs: Array.from({ length: ROWS }, (_, n) => execution(n)), next_cursor: null },
    }),
  )
  await page.goto(`${server.url}/console/logs?live=off`)
  await page.getByText(`${ROWS.toLocaleString('en')} executions`).waitFor({ timeout: 120_000 })
  const { result: frames, processor } = await measureProcessor(() => scroll(page))
  const rows = await page.locator('tbody tr').count()
  await page.close()
  return { frames, rows, processor }
}

function scroll(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const box = document.querySelector('.table-box.virtual')
    const lengths = []
    const step = (box.scrollHeight - box.clientHeight) / ${SCROLL_FRAMES} / 4
    let last = performance.now()
    const next = (now) => {
      lengths.push(now - last)
      last = now
      box.scrollTop += step
      if (lengths.length < ${SCROLL_FRAMES}) requestAnimationFrame(next)
      else resolve(lengths.slice(1))
    }
    requestAnimationFrame(next)
  })`)
}

function execution(n: number) {
  const status = n % 9 === 0 ? 'failed' : 'success'
  return {
    id: `log_${String(n).padStart(12, '0')}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) - n * 1_000).toISOString(),
    type: 'tool.execution',
    status,
    level: status === 'failed' ? 'error' : 'info',
    message: status === 'failed' ? 'The application returned status 404: Not Found' : '',
    metadata: { tool_slug: 'GITHUB_CREATE_AN_ISSUE', toolkit_slug: 'github', user_id: `user-${n % 97}` },
    metrics: { duration_ms: 80 + (n % 400) },
  }
}
