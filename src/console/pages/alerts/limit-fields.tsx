import type { AlertCondition } from '../../../contract/alerts.ts'
import type { ApiFailure } from '../../api/index.ts'
import { errorOf, TextField } from '../../components/index.ts'
import { conditionOf, countsMinutes } from './conditions.ts'

export interface LimitValues {
  threshold: string
  minutes: string
}

interface FieldsProps {
  condition: AlertCondition
  values: LimitValues
  onChange(change: Partial<LimitValues>): void
  failure: ApiFailure | null
}

/** From which value on a rule fires, and for some conditions, the minutes that count. */
export const LimitFields = ({ condition, values, onChange, failure }: FieldsProps) => (
  <>
    <TextField
      label={conditionOf(condition).threshold}
      type="number"
      min={1}
      max={condition === 'error_rate' ? 100 : 1_000_000}
      required
      hint="The alert fires from this number on."
      value={values.threshold}
      onChange={(event) => onChange({ threshold: event.target.value })}
      error={errorOf(failure, 'threshold')}
    />
    {countsMinutes(condition) && (
      <TextField
        label="Minutes that count"
        type="number"
        min={1}
        max={1440}
        required
        value={values.minutes}
        onChange={(event) => onChange({ minutes: event.target.value })}
        error={errorOf(failure, 'window_minutes')}
      />
    )}
  </>
)
