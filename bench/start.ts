import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

// How long `patchbay start` takes until it listens, and what the server process holds at idle (PostgreSQL not counted).
// In addition, in the same run, a bare Node.js process: what nothing at all costs on this machine.
//
//   npm run bench:start [runs]

const PROGRAM = fileURLToPath(new URL('../bin/patchbay.js', import.meta.url))
const TARGETS = { firstS: 10, laterS: 3, idleMb: 150 }
const SETTLE_MS = 3_000
/**
 * Until the first start has written the search index: a later start reads it, as it does after any real first
 * start.
 */
const INDEX_MS_MAX = 120_000
const RUNS = Number(process.argv[2] ?? 5)

interface Run {
  seconds: number
  megabytes: number
}

const measured = { first: [] as Run[], later: [] as Run[], bare: [] as Run[] }
for (let run = 0; run < RUNS; run++) {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-bench-'))
  try {
    measured.bare.push(await timed(['-e', 'console.log("curl"); setInterval(() => {}, 1000)'], directory))
    measured.first.push(await timed([PROGRAM, 'start'], directory, () => searchIndex(directory)))
    measured.later.push(await timed([PROGRAM, 'start'], directory))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? NaN
const seconds = (runs: Run[]) => median(runs.map((run) => run.seconds))
const megabytes = (runs: Run[]) => median(runs.map((run) => run.megabytes))
const { first, later, bare } = measured
console.log(
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ` +
    `${process.versions.node}, medians of ${RUNS} runs`,
)
console.log(`first start   ${seconds(first).toFixed(2)} s   target ≤ ${TARGETS.firstS} s`)
console.log(
  `later start   ${seconds(later).toFixed(2)} s   target ≤ ${TARGETS.laterS} s   ` +
    `${(seconds(later) / seconds(bare)).toFixed(1)} × a bare Node.js (${seconds(bare).toFixed(2)} s)`,
)
console.log(
  `idle memory   ${megabytes(later).toFixed(0)} MB   target ≤ ${TARGETS.idleMb} MB   ` +
    `${(megabytes(later) / megabytes(bare)).toFixed(1)} × a bare Node.js (${megabytes(bare).toFixed(0)} MB)`,
)
process.exitCode =
  seconds(first) <= TARGETS.firstS && seconds(later) <= TARGETS.laterS && megabytes(later) <= TARGETS.idleMb
    ? 0
    : 1

/**
 * From the start of the process to the last line of what it prints when it is ready; then its memory once it
 * has settled.
 */
async function timed(args: string[], directory: string, settled = () => wait(SETTLE_MS)): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH, HOME, PORT: '0', DATA_DIR: join(directory, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
      if (/curl/.test((output += chunk as string))) break
    if (!output.includes('curl')) throw new Error(`It did not start:\n${output}`)
    child.stdout.resume()
    const seconds = (performance.now() - startedAt) / 1_000
    await settled()
    const resident = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))
    return { seconds, megabytes: Number(resident?.[1]) / 1_024 }
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}

/** Waits for the search index of the built-in toolkits. */
async function searchIndex(directory: string): Promise<void> {
  const deadline = performance.now() + INDEX_MS_MAX
  while (performance.now() < deadline) {
    const names = await readdir(join(directory, 'data', 'cache')).catch(() => [])
    if (names.some((name) => /^search-.*\.bin$/.test(name))) return
    await wait(200)
  }
  throw new Error('The search index was not written.')
}
