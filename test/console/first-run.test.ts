import assert from 'node:assert/strict'
import { test } from 'node:test'
import { horizontalOverflow } from '../fixtures/axe.ts'
import { VIEWPORTS } from './console.ts'
import { formatSteps, sumOf, runFirstSteps } from '../../bench/console/first-run-steps.ts'

const STEPS = [
  'npm start, until the console is built',
  'set-up link: create the owner',
  'run a tool',
  'load demo data, with simulated applications',
  'connect GitHub with a token',
  'hand it to an agent: open a session, copy a snippet',
  'the agent calls a tool (no clicks: the step turns green)',
  'find the call in the logs',
]

// The seconds are printed for people. `npm run bench:first-run` compares them with a limit, on a quiet machine.
test('first run: from an empty server, 16 clicks lead to a tool call, an account and the call of an agent', async (t) => {
  const steps = await runFirstSteps()
  for (const line of formatSteps(steps)) t.diagnostic(line)
  assert.deepEqual(
    steps.map(({ name }) => name),
    STEPS,
  )
  assert.deepEqual([sumOf(steps, 'clicks'), sumOf(steps, 'fields')], [16, 4])
})

test('first run: the same steps work on a phone in the dark theme, and nothing is wider than the screen', async (t) => {
  const widths: number[] = []
  const steps = await runFirstSteps({
    viewport: VIEWPORTS.phone,
    colorScheme: 'dark',
    onStep: async (page) => void widths.push(await horizontalOverflow(page)),
  })
  for (const line of formatSteps(steps)) t.diagnostic(line)
  assert.deepEqual(
    steps.map(({ name }) => name),
    STEPS,
  )
  // One more: the navigation is in a drawer.
  assert.deepEqual([sumOf(steps, 'clicks'), sumOf(steps, 'fields')], [17, 4])
  assert.deepEqual(widths, [0, 0, 0, 0, 0, 0, 0])
})
