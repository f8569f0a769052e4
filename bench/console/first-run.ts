import { formatSteps, sumOf, runFirstSteps } from './first-run-steps.ts'

// The first minutes of a newcomer, from the link that the start prints to an agent's call in the logs, by clicks only.
// Prints clicks, filled fields and seconds of each step, and fails if a step does not work or the whole takes more than
// five minutes.
//
//   npm run bench:first-run

const SECONDS_MAX = 300

const steps = await runFirstSteps()
process.stdout.write(`${formatSteps(steps).join('\n')}\n`)
if (sumOf(steps, 'seconds') > SECONDS_MAX) throw new Error(`The first run took more than ${SECONDS_MAX} s.`)
