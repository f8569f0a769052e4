import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulator } from '../../simulation/providers/start.ts'
import { startApplication } from '../chaos-events/application.ts'
import { startReceiver } from '../chaos-events/receiver.ts'
import { prepare } from '../chaos-events/set-up.ts'
import { SLUG, toolkitFiles } from '../chaos-events/toolkit.ts'
import { connectRotatingAccounts } from '../chaos-refresh/connect-accounts.ts'
import { addToolkit, copyWithToolkit, rotatingFiles } from '../chaos-refresh/program.ts'
import { startProduct } from '../execute/processes.ts'
import { type Figures, measureAll } from './measure.ts'

// Measures what docs/scaling.md and the guide "Sizing" calculate with: processor time of the server and of PostgreSQL
// for one execution, token refresh, event with its delivery, and poll, and the bytes of one row of each large table.
//
//   npm run bench:sizing                              some four minutes on two cores
//   npm run bench:sizing -- --json > docs/sizing-figures.json && node scripts/write-sizing.ts

const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    feeds: { type: 'string', default: '1000' },
    executions: { type: 'string', default: '20000' },
    events: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
})
const number = (name: 'accounts' | 'feeds' | 'executions' | 'events') => Number(options[name])

async function run(directory: string, ends: (() => unknown)[]): Promise<Figures> {
  // The provider accepts tokens for an hour; the accounts are stored with tokens that have expired.
  const simulator = await startSimulator({ tokenSeconds: 3_600 })
  ends.push(() => simulator.close())
  const application = await startApplication()
  ends.push(() => application.close())
  const receiver = await startReceiver({ name: 'steady' }, () => 1)
  ends.push(() => receiver.close())
  const root = join(directory, 'program')
  await copyWithToolkit(root, SLUG, toolkitFiles(application.url))
  await addToolkit(root, 'rotating', rotatingFiles(simulator.url, 0))
  const product = await startProduct({}, root)
  ends.push(() => product.stop())
  application.servers = () => [product.url]
  const users = await connectRotatingAccounts(
    product.url,
    product.key,
    simulator.provider('rotating').families,
    number('accounts'),
  )
  const addFeeds = () => prepare(product.url, product.key, number('feeds'), [receiver.url])
  const counts = { executions: number('executions'), events: number('events') }
  const measured = await measureAll({ product, application, receiver, users, addFeeds, counts })
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores`,
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    ...measured,
  }
}

const directory = await mkdtemp(join(tmpdir(), 'patchbay-sizing-'))
const ends: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })]
try {
  const figures = await run(directory, ends)
  const text = JSON.stringify(figures, null, 2)
  process.stdout.write(`${options.json ? text : text.replaceAll(/[{}",]/g, '').trimEnd()}\n`)
} finally {
  for (const end of ends.reverse()) await end()
}
