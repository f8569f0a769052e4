import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { load } from './callers.ts'
import { raise } from './stage.ts'
import { median } from '../figures.ts'

const CALLERS = 32
const TARGET = 1.6
/** Two servers, the database, the upstream and the callers: with fewer cores they only take them from each other. */
const CORES_NEEDED = 6

/** Throughput of two server processes on one database, compared with one process. */
export async function replicas(seconds: number, rounds: number, asJson: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-bench-'))
  const database = await startEmbedded({
    dataDir: join(directory, 'database'),
    settings: { max_connections: '200' },
  })
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    BOOTSTRAP_PROJECT_API_KEY: `ak_${randomBytes(24).toString('base64url')}`,
  }
  const stage = await raise([{ env }, { env }])
  try {
    const [one, two] = stage.products
    const run = async (products: typeof stage.products) =>
      (
        await Promise.all(
          products.map((product) =>
            load(stage.execute('key', 1, { callers: CALLERS / products.length, seconds }, product)),
          ),
        )
      ).reduce((sum, { perSecond }) => sum + perSecond, 0)
    await run(stage.products)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const [alone, both] = [
        await run([one as (typeof stage.products)[number]]),
        await run([one, two] as typeof stage.products),
      ]
      ratios.push(both / alone)
      if (!asJson)
        process.stdout.write(
          `  round ${round + 1}   one ${alone.toFixed(0)}/s   two ${both.toFixed(0)}/s   ` +
            `${(both / alone).toFixed(2)} ×\n`,
        )
    }
    const ratio = median(ratios)
    const cores = availableParallelism()
    const judged =
      ratio >= TARGET ? 'met' : cores < CORES_NEEDED ? `not to be judged on ${cores} cores` : 'missed'
    process.stdout.write(
      asJson
        ? `${JSON.stringify({ cores, ratio })}\n`
        : `\n  two processes / one  ${ratio.toFixed(2)} ×   (target ≥ ${TARGET}: ${judged})\n\n`,
    )
  } finally {
    await stage.stop()
    await database.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
