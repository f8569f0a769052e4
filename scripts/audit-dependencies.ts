// Compares the dependencies with the advisories of the registry. `npm run audit`; `--strict` fails without a registry.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** An advisory that does not apply. It is accepted until a day, so that it is judged again. */
export interface AuditException {
  /** `GHSA-…`. */
  advisory: string
  reason: string
  /** `2027-01-31`, at most a year ahead. */
  until: string
}

interface Advisory {
  name: string
  title: string
  url: string
  severity: string
}

/** Severities that a release must not have in what it installs. Lower ones are printed. */
const BLOCKING = new Set(['high', 'critical'])
const ADVISORY_ID = /GHSA(-[0-9a-z]{4}){3}/
const AUDIT_MS_MAX = 60_000
const YEAR_MS = 366 * 86_400_000

const isAdvisory = (via: unknown): via is Advisory => typeof via === 'object' && via !== null && 'url' in via

/**
 * Reads the output of `npm audit --json`. Returns undefined for an error report: the registry was not reachable, or has
 * no advisories.
 */
export function readAdvisories(output: string): Advisory[] | undefined {
  let report: { vulnerabilities?: Record<string, { via: unknown[] }> }
  try {
    report = JSON.parse(output) as typeof report
  } catch {
    return undefined
  }
  if (!report.vulnerabilities) return undefined
  const all = Object.values(report.vulnerabilities).flatMap(({ via }) => via.filter(isAdvisory))
  return [...new Map(all.map((advisory) => [`${advisory.url} ${advisory.name}`, advisory])).values()]
}

/** Returns what must be resolved before a release. */
export function auditFaults(
  advisories: readonly Advisory[],
  exceptions: readonly AuditException[],
  now: Date,
): string[] {
  const idOf = ({ url }: Advisory) => ADVISORY_ID.exec(url)?.[0] ?? url
  const ids = new Set(advisories.map(idOf))
  const isValid = ({ until }: AuditException) =>
    Date.parse(until) >= now.getTime() && Date.parse(until) - now.getTime() <= YEAR_MS
  const accepted = new Set(exceptions.filter(isValid).map(({ advisory }) => advisory))
  return [
    ...advisories
      .filter((advisory) => BLOCKING.has(advisory.severity) && !accepted.has(idOf(advisory)))
      .map((advisory) => `${advisory.name}: ${advisory.title} (${advisory.severity}, ${idOf(advisory)})`),
    ...exceptions
      .filter(({ advisory }) => !ids.has(advisory))
      .map(({ advisory }) => `the exception for ${advisory} is not needed: remove it`),
    ...exceptions
      .filter((exception) => ids.has(exception.advisory) && !isValid(exception))
      .map(
        ({ advisory, until }) =>
          `the exception for ${advisory} ends ${until}: judge it again, for at most a year`,
      ),
  ]
}

function main(args: readonly string[]): void {
  const exceptions = JSON.parse(
    readFileSync(join(import.meta.dirname, 'audit-exceptions.json'), 'utf8'),
  ) as AuditException[]
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    timeout: AUDIT_MS_MAX,
    maxBuffer: 2 ** 26,
  })
  const advisories = readAdvisories(stdout ?? '')
  if (!advisories) {
    process.stdout.write('Not checked: the registry returned no advisories.\n')
    process.exitCode = args.includes('--strict') ? 1 : 0
    return
  }
  const faults = auditFaults(advisories, exceptions, new Date())
  process.stdout.write(
    faults.length > 0
      ? `${faults.join('\n')}\n`
      : `${advisories.length} advisories, none that blocks a release.\n`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2))
