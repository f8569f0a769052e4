import { styleText } from 'node:util'
import { withTimeout } from '../../platform/timeout.ts'
import { type Check, fail, type CheckContext, skip, type Status, type CheckResult } from './check.ts'
import { dataDirectoryChecks } from './data-directory.ts'
import { databaseChecks } from './database.ts'
import { fileStoreChecks } from './file-store.ts'
import { programChecks } from './program.ts'
import { serverChecks } from './server.ts'

const TIMEOUT_MS = 10_000
const NAME_WIDTH = 11
const CHECKS: readonly Check[] = [
  ...programChecks,
  ...dataDirectoryChecks,
  ...fileStoreChecks,
  ...serverChecks,
  ...databaseChecks,
]

export interface DoctorResult extends CheckResult {
  name: string
}
export interface DoctorOptions {
  json: boolean
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>
  checks?: readonly Check[]
}

/**
 * Checks the installation, and prints problems with their fixes. Changes nothing, except that an object is written to
 * the bucket of files and removed. Returns the exit code: 1 if a start would fail.
 */
export async function doctor({ json, out, checks = CHECKS }: DoctorOptions): Promise<number> {
  const context: CheckContext = { afterwards: [] }
  const findings: DoctorResult[] = []
  try {
    for (const check of checks) {
      const verdicts = await runCheck(check, context)
      for (const verdict of [verdicts].flat()) {
        findings.push({ name: check.name, ...verdict })
        if (!json) out.write(line({ name: check.name, ...verdict }, out.isTTY))
      }
    }
  } finally {
    for (const step of context.afterwards.reverse()) await step()
  }
  const bad = findings.filter(({ status }) => status === 'fail').length
  out.write(
    json
      ? `${JSON.stringify({ ok: !bad, checks: findings }, null, 2)}\n`
      : `\n  ${bad ? `${bad} problem${bad > 1 ? 's' : ''} to fix.` : 'No problem prevents a start.'}\n\n`,
  )
  return bad ? 1 : 0
}

/** Runs one check within its time limit. A check that throws has failed. */
async function runCheck(
  { needsConfig, timeoutMs = TIMEOUT_MS, run }: Check,
  context: CheckContext,
): Promise<CheckResult | CheckResult[]> {
  if (needsConfig && !context.config) return skip('needs valid settings')
  try {
    return await withTimeout(Promise.resolve(run(context)), timeoutMs, () =>
      fail(`no response within ${timeoutMs / 1_000} s`, 'Check the load, disk and network of this machine.'),
    )
  } catch (error) {
    return fail((error as Error).message || String(error), 'Fix the problem in the message, and check again.')
  }
}

const MARKS: Record<Status, readonly [mark: string, format: 'green' | 'yellow' | 'red' | 'dim']> = {
  ok: ['✓', 'green'],
  warn: ['!', 'yellow'],
  fail: ['✗', 'red'],
  skip: ['·', 'dim'],
}

function line({ name, status, detail, fix }: DoctorResult, colour: boolean | undefined): string {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text) : text
  const [mark, format] = MARKS[status]
  return (
    `  ${style(format, mark)} ${name.padEnd(NAME_WIDTH)} ` +
    `${detail}\n${fix ? `    ${' '.repeat(NAME_WIDTH)} → ${fix}\n` : ''}`
  )
}
