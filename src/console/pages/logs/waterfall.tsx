import type { ToolExecutionLog } from '../../../contract/logs/index.ts'

/** The parts of a call in their order. What the parts do not cover is the server itself. */
const STEPS = [
  ['account_ms', 'Select the account'],
  ['credentials_ms', 'Credentials'],
  ['application_ms', 'Application'],
] as const

/** Durations of the parts of a call as bars, one after the other. */
export function Waterfall({ metrics }: { metrics: ToolExecutionLog['metrics'] }) {
  const total = metrics.duration_ms
  if (total === null) return null
  const parts = STEPS.flatMap(([name, label]) => {
    const duration = metrics[name]
    return duration === undefined ? [] : [{ label, duration }]
  })
  const known = parts.reduce((sum, { duration }) => sum + duration, 0)
  const steps = [...parts, { label: 'Server', duration: Math.max(0, total - known) }]
  const length = Math.max(total, known, 1)
  let start = 0
  return (
    <section aria-label="Durations">
      <h3>{total} ms</h3>
      <div className="waterfall">
        {steps.map(({ label, duration }) => {
          const x = (start / length) * 100
          start += duration
          return (
            <div className="waterfall-step" key={label}>
              <span>{label}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect x={x} y="0" width={Math.max((duration / length) * 100, 0.5)} height="10" />
              </svg>
              <span>{Math.round(duration)} ms</span>
            </div>
          )
        })}
      </div>
    </section>
  )
}
