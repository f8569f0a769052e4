import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../../test/fixtures/database.ts'
import { chaos } from './run.ts'

// Executes tools of an application that hangs, cuts, lies about lengths, sends garbage and redirects to
// itself, while the database is lost again and again, and counts: calls without an answer, effects that the
// log does not know, what is left behind.
//
//   npm run chaos:execute -- --seconds 60 --callers 64

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    callers: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
})
/** What the heap may hold more afterwards. */
const GROWTH_MAX_MB = 50

setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc') as typeof globalThis.gc

const ends: (() => unknown)[] = []
await globalSetup()
try {
  const outcome = await chaos(
    {
      after: (end) => {
        ends.push(end as () => unknown)
      },
    },
    { seconds: Number(options.seconds), callers: Number(options.callers), cutEveryMs: 2_500, cutMs: 400 },
  )
  const { calls, answers, givenUp, unanswered, cuts, reached, missing, leaks, heapMb } = outcome
  const growth = heapMb.after - heapMb.before
  const holds =
    !unanswered.length &&
    !missing.length &&
    leaks.running + leaks.waiting + leaks.hung === 0 &&
    growth <= GROWTH_MAX_MB
  if (options.json) process.stdout.write(`${JSON.stringify({ ...outcome, holds })}\n`)
  else {
    const say = (label: string, text: string | number) =>
      process.stdout.write(`  ${label.padEnd(34)} ${text}\n`)
    say('calls', `${calls}, of which ${givenUp} were given up by their callers`)
    for (const [kind, count] of Object.entries(answers).sort()) say(`  ${kind}`, count)
    say('database lost', `${cuts} times`)
    say(
      'calls without an answer',
      unanswered.length ? `${unanswered.length}: ${unanswered.slice(0, 5).join('; ')}` : 0,
    )
    say('effects at the application', reached)
    say('of them not in the log', missing.length)
    say(
      'requests left behind',
      `${leaks.running} running, ${leaks.waiting} waiting, ${leaks.hung} connections`,
    )
    say('heap', `${heapMb.before} MB before, ${heapMb.after} MB after`)
    say('holds', holds ? 'yes' : 'no')
  }
  process.exitCode = holds ? 0 : 1
} finally {
  for (const end of ends.reverse()) await end()
  await globalTeardown()
}
