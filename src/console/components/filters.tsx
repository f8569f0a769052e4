import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import type { SetFilter } from './url-filters.ts'

interface FilterValues {
  filters: URLSearchParams
  set: SetFilter
}

interface FiltersProps extends FilterValues {
  /** Parameters of the URL that are filters: "Clear filters" removes them. */
  names: readonly string[]
  children: ReactNode
}

/** The filters of a list, and a button that removes those that are set. */
export function Filters({ filters, set, names, children }: FiltersProps) {
  const active = names.filter((name) => filters.has(name))
  return (
    <section className="filters many" aria-label="Filters">
      {children}
      {active.length > 0 && (
        <Button
          icon="close"
          onClick={() => {
            for (const name of active) set(name, undefined)
          }}
        >
          Clear filters
        </Button>
      )}
    </section>
  )
}

interface FilterProps extends FilterValues {
  label: string
  /** Parameter of the URL. */
  name: string
}

/** A text filter. It applies when the field is left or Enter is pressed. */
export function TextFilter({ label, name, filters, set }: FilterProps) {
  const value = filters.get(name) ?? ''
  return (
    <TextField
      key={value}
      label={label}
      defaultValue={value}
      onBlur={(event) => set(name, event.target.value.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set(name, event.currentTarget.value.trim())
      }}
    />
  )
}

/** A day in the time zone of the browser. The URL has the day; `dayBounds` makes the times from it. */
export const DayFilter = ({ label, name, filters, set }: FilterProps) => (
  <TextField
    label={label}
    type="date"
    value={filters.get(name) ?? ''}
    onChange={(event) => set(name, event.target.value)}
  />
)

/** Returns when a day begins and when the next one does, as ISO 8601; undefined for what is no day. */
export function dayBounds(day: string | null): { start: string; end: string } | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  // A year is typed digit by digit: the field then has the year 0002, 0020, 0202.
  if (year === undefined || Number(year) < 1970) return undefined
  const midnight = (days: number) =>
    new Date(Number(year), Number(month) - 1, Number(date) + days).toISOString()
  return { start: midnight(0), end: midnight(1) }
}

interface MoreFiltersProps extends FilterValues {
  fields: readonly (readonly [name: string, label: string])[]
}

/** Text filters that are used rarely. They are folded up, so that a phone shows rows on its first screen. */
export const MoreFilters = ({ fields, filters, set }: MoreFiltersProps) => (
  // Filters that are in use are visible.
  <details className="more-filters" open={fields.some(([name]) => filters.has(name)) || undefined}>
    <summary>More filters</summary>
    <div className="filters many">
      {fields.map(([name, label]) => (
        <TextFilter key={name} name={name} label={label} filters={filters} set={set} />
      ))}
    </div>
  </details>
)
