import type { Approval } from '../../../contract/policies/index.ts'

/**
 * The exact arguments, one by one: what a person decides about must be easy to see. None is in a box of its own that
 * scrolls, and the buttons follow below, so that the last argument was on the screen before them.
 */
export function ApprovalArguments({ values }: { values: Approval['arguments'] }) {
  if (!values) return <p className="hint">The arguments were deleted after the decision.</p>
  const entries = Object.entries(values)
  if (entries.length === 0) return <p className="hint">The call has no arguments.</p>
  return (
    <section aria-label="Arguments">
      <h3>Arguments</h3>
      <dl className="argument-list">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
