import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSteps, sumOf, runFirstSteps } from '../../bench/console/first-run-steps.ts'

// The seconds are printed for people. `npm run bench:first-run` compares them with a limit, on a quiet machine.
test('first run: from an empty server, 18 clicks lead to a tool call, an account and the call of an agent', async (t) => {
  const steps = await runFirstSteps()
  for (const line of formatSteps(steps)) t.diagnostic(line)
  assert.deepEqual(
    steps.map(({ name }) => name),
    [
      'npm start, until the console is built',
      'set-up link: create the owner',
      'run a tool',
      'load demo data, with simulated applications',
      'connect GitHub with a token',
      'hand it to an agent: open a session, copy a snippet',
      'the agent calls a tool (no clicks: the step turns green)',
      'find the call in the logs',
    ],
  )
  assert.deepEqual([sumOf(steps, 'clicks'), sumOf(steps, 'fields')], [18, 4])
})
