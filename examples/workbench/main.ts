import { writeFile } from 'node:fs/promises'
import { analyseIssues } from './analyse.ts'
import { startTracker } from './tracker.ts'

// Analyses 10,000 issues of a simulated tracker in the workbench, and writes the chart to the current folder.

const { PATCHBAY_URL: url = 'http://localhost:3900', PATCHBAY_API_KEY: key } = process.env
const CHART = 'hours_to_close.png'

if (!key)
  throw new Error('PATCHBAY_API_KEY is missing: the key of a project, as `patchbay keys list` shows it.')
const tracker = await startTracker()
try {
  const { stdout, results, chart } = await analyseIssues({ url, key }, tracker.url, 'ada')
  await writeFile(CHART, chart)
  process.stdout.write(`${stdout}Median hours to close: ${results}\nThe chart is in ${CHART}.\n`)
} finally {
  tracker.stop()
}
