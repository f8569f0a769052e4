export interface Outcome {
  seconds: number
  processes: number
  callers: number
  accounts: number
  graceSeconds: number
  seed: number
  kills: number
  expiries: number
  requests: number
  lost: number
  unexplained: number
  about: string[]
  reuses: number
  accountsLost: number
  calls: number
  inFlightAtKill: number
  failed: number
  why: [string, number][]
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** Of the machine, over the last minute; and how long this process, which measures, had to wait for it. */
  load: number
  pauseMs: number
}

/** What has to be zero. An answer that was lost with a killed process is none of it, but what becomes of it is. */
const ZEROS: readonly [keyof Outcome, string][] = [
  ['unexplained', 'second requests for one expiry while the first asker lives'],
  ['reuses', 'reuse detections'],
  ['accountsLost', 'accounts lost'],
  ['failed', 'failed executions, not in flight at a kill'],
]
export const holds = (outcome: Outcome): boolean => ZEROS.every(([name]) => outcome[name] === 0)

export function table(o: Outcome): string {
  const zeros = new Map(ZEROS.map(([name, text]) => [text, o[name] as number]))
  const rows: [string, string | number][] = [
    ['kills', `${o.kills}, each restarted at once`],
    ['expiries', o.expiries],
    ['token requests', o.requests],
    ['requests an expiry', (o.requests / Math.max(1, o.expiries)).toFixed(4)],
    [
      'answers lost with a killed process, asked for again',
      `${o.lost}${o.lost ? graceText(o.graceSeconds) : ''}`,
    ],
    ...[...zeros].map(([text, count]): [string, string] => [text, `${count}${count ? '   ✖ not zero' : ''}`]),
    ['failed executions, in flight at a kill', o.inFlightAtKill],
    [
      'executions',
      `${o.calls}, p50 ${o.p50Ms.toFixed(0)} ms, p99 ${o.p99Ms.toFixed(0)} ms, longest ${o.maxMs.toFixed(0)} ms`,
    ],
    [
      'load of the machine',
      `${o.load.toFixed(1)}, longest pause of the measuring process ${o.pauseMs.toFixed(0)} ms`,
    ],
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 3
  const about = o.about.map((text) => `    ${text}`)
  const reasons = o.why.map(([why, count]) => `    ${count} × ${why}`)
  return [
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`),
    ...about,
    ...reasons,
    ...(o.graceSeconds ? [] : ['', NO_GRACE]),
  ].join('\n')
}

const graceText = (graceSeconds: number | undefined): string =>
  graceSeconds ? `, within the provider's grace of ${graceSeconds} s` : ', and the provider has no grace'

const NO_GRACE =
  "  Without a grace the window cannot be closed: between the provider's answer and the commit nothing holds\n" +
  '  the new refresh token but the process that is killed. The next one shows the old token, and the provider\n' +
  '  ends the grant. How often is the line "answers lost"; see docs/guides/token-refresh.md.'
