import { load } from './callers.ts'
import { residentMb } from './cpu.ts'
import { raise } from './stage.ts'

const WARM_UP = 20_000
const STEPS = 10
const CALLERS = 32
const DEADLINE_S = 600
/** What a server may hold more after them than after it had warmed up. */
const GROWTH_MAX_MB = 40

/** Resident memory of the server over many executions: flat is as good as none. */
export async function memory(executions: number, asJson: boolean): Promise<void> {
  const stage = await raise()
  try {
    const pid = stage.products[0]?.pid as number
    const run = async (calls: number) => {
      const { calls: made, failures } = await load(
        stage.execute('key', 1, { callers: CALLERS, seconds: DEADLINE_S, calls }),
      )
      if (failures || made < calls) throw new Error(`${made} of ${calls} executions, ${failures} failed`)
    }
    const seen: [number, number][] = [[0, residentMb(pid)]]
    await run(Math.min(WARM_UP, executions))
    seen.push([Math.min(WARM_UP, executions), residentMb(pid)])
    for (let step = 0; step < STEPS; step++) {
      await run(Math.ceil(executions / STEPS))
      seen.push([(seen.at(-1)?.[0] ?? 0) + Math.ceil(executions / STEPS), residentMb(pid)])
      if (!asJson)
        process.stdout.write(
          `  after ${String(seen.at(-1)?.[0]).padStart(8)} executions  ${seen.at(-1)?.[1]} MB resident\n`,
        )
    }
    const [[, start], [, warm], ...rest] = seen as [[number, number], [number, number], ...[number, number][]]
    const growth = (rest.at(-1)?.[1] ?? 0) - warm
    if (asJson)
      process.stdout.write(
        `${JSON.stringify({
          executions,
          start_mb: start,
          warm_mb: warm,
          end_mb: rest.at(-1)?.[1],
          growth_mb: growth,
        })}\n`,
      )
    else
      process.stdout.write(
        `\n  at the start ${start} MB, warm ${warm} MB, grown by ${growth} MB since   (target ≤ ` +
          `${GROWTH_MAX_MB}: ${growth <= GROWTH_MAX_MB ? 'met' : 'missed'})\n\n`,
      )
    process.exitCode = growth <= GROWTH_MAX_MB ? 0 : 1
  } finally {
    await stage.stop()
  }
}
