import type { ProviderTest } from '../../../../contract/openid-fields.ts'
import { StatusBadge } from '../../../components/index.ts'

const RESULTS = {
  ok: { status: 'OK', label: 'OK' },
  warning: { status: 'PENDING', label: 'Warning' },
  failed: { status: 'FAILED', label: 'Failed' },
} as const

/** What a test of a provider found, check by check. */
export const TestResult = ({ test }: { test: ProviderTest }) => (
  <div className="test-result" role="status">
    <p>
      <strong>
        {test.is_usable ? 'The provider can be used.' : 'The provider cannot be used like this.'}
      </strong>
    </p>
    <ul className="plain-list">
      {test.checks.map(({ check, result, message }) => (
        <li key={check} className="row">
          <StatusBadge {...RESULTS[result]} />
          <span>{message}</span>
        </li>
      ))}
    </ul>
  </div>
)
