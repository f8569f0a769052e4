import { styleText } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { type Check, fail, type CheckContext, skip, type Status, type CheckResult } from './check.ts'
import { dataDirectoryChecks } from './data-directory.ts'
import { databaseChecks } from './database.ts'
import { programChecks } from './program.ts'
import { serverChecks } from './server.ts'

const TIMEOUT_MS = 10_000
const NAME_WIDTH = 11
const CHECKS: readonly Check[] = [
  ...programChecks,
  ...dataDirectoryChecks,
  ...serverChecks,
  ...databaseChecks,
]

export interface NamedResult extends CheckResult {
  name: string
}
export interface DoctorOptions {
  json: boolean
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
  checks?: readonly Check[]
}

/** Looks at the set-up and tells what is wrong and how to mend it; nothing that is stored changes. Answers the exit code: 1 when a start would fail. */
export async function doctor({ json, out, checks = CHECKS }: DoctorOptions): Promise<number> {
  const found: CheckContext = { afterwards: [] }
  const findings: NamedResult[] = []
  try {
    for (const check of checks) {
      const verdicts = await runCheck(check, found)
      for (const verdict of [verdicts].flat()) {
        findings.push({ name: check.name, ...verdict })
        if (!json) out.write(line({ name: check.name, ...verdict }, out.isTTY))
      }
    }
  } finally {
    for (const step of found.afterwards.reverse()) await step()
  }
  const bad = findings.filter(({ status }) => status === 'fail').length
  out.write(
    json
      ? `${JSON.stringify({ ok: !bad, checks: findings }, null, 2)}\n`
      : `\n  ${bad ? `${bad} problem${bad > 1 ? 's' : ''} to mend.` : 'Nothing stands in the way of a start.'}\n\n`,
  )
  return bad ? 1 : 0
}

/** One check within its bound; a check that fails in an unforeseen way is a finding too. */
async function runCheck(
  { needsConfig, timeoutMs = TIMEOUT_MS, run }: Check,
  found: CheckContext,
): Promise<CheckResult | CheckResult[]> {
  if (needsConfig && !found.config) return skip('needs valid settings')
  try {
    const late = wait(
      timeoutMs,
      fail(`no answer within ${timeoutMs / 1_000} s`, 'Look at the load, disk and network of this machine.'),
      { ref: false },
    )
    return await Promise.race([run(found), late])
  } catch (error) {
    return fail((error as Error).message || String(error), 'Mend what the message names, and look again.')
  }
}

const MARKS: Record<Status, readonly [mark: string, format: 'green' | 'yellow' | 'red' | 'dim']> = {
  ok: ['✓', 'green'],
  warn: ['!', 'yellow'],
  fail: ['✗', 'red'],
  skip: ['·', 'dim'],
}

function line({ name, status, detail, fix }: NamedResult, colour: boolean | undefined): string {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text) : text
  const [mark, format] = MARKS[status]
  return `  ${style(format, mark)} ${name.padEnd(NAME_WIDTH)} ${detail}\n${fix ? `    ${' '.repeat(NAME_WIDTH)} → ${fix}\n` : ''}`
}
