import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { type Option, Select } from './select.tsx'
import { useUrlFilters } from './url-filters.ts'

/**
 * A filter of a list: a parameter of the page's URL. A `text` has to match exactly and applies with Enter or when the
 * field is left; a `search` applies while it is typed; a `day` is one in the time zone of the browser.
 */
export type Filter = {
  /** Parameter of the URL. */
  name: string
  label: string
  /** Rare ones are folded up, so that a phone shows rows on its first screen. */
  isRare?: boolean
} & (
  | { kind: 'text' | 'day' }
  | { kind: 'search'; placeholder: string }
  | {
      kind: 'choice'
      /** What the list shows without a choice, such as `All statuses`. */
      all: string
      options: readonly Option[]
    }
)

type Kind = Filter['kind']
type FilterOf<K extends Kind> = Filter & { kind: K }

interface ControlProps<K extends Kind> {
  filter: FilterOf<K>
  value: string
  onChange(value: string): void
}

/** Whether a list is filtered. */
export const hasFilters = (fields: readonly Filter[], filters: URLSearchParams): boolean =>
  fields.some(({ name }) => filters.has(name))

/** The filters of a list, and a button that removes those that are set. */
export function Filters({ fields }: { fields: readonly Filter[] }) {
  const [filters, set] = useUrlFilters()
  const rare = fields.filter(({ isRare }) => isRare)
  const control = (filter: Filter) => {
    const Control = CONTROLS[filter.kind] as ComponentType<ControlProps<Kind>>
    const { name } = filter
    return (
      <Control
        key={name}
        filter={filter}
        value={filters.get(name) ?? ''}
        onChange={(value) => set({ [name]: value })}
      />
    )
  }
  return (
    <section className="filters many" aria-label="Filters">
      {fields.filter(({ isRare }) => !isRare).map(control)}
      {rare.length > 0 && (
        // Filters that are in use are visible.
        <details className="more-filters" open={hasFilters(rare, filters) || undefined}>
          <summary>More filters</summary>
          <div className="filters many">{rare.map(control)}</div>
        </details>
      )}
      {hasFilters(fields, filters) && (
        <Button
          icon="close"
          onClick={() => set(Object.fromEntries(fields.map(({ name }) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </section>
  )
}

const SEARCH_DELAY_MS = 250

/** The text of a field, until it is applied. */
function useDraft(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = (next = text) => {
    if (next.trim() !== value) onChange(next.trim())
  }
  return { text, setText, apply }
}

function TextControl({ filter: { label }, value, onChange }: ControlProps<'text'>) {
  const { text, setText, apply } = useDraft(value, onChange)
  return (
    <TextField
      label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => apply()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
    />
  )
}

function SearchControl({ filter: { label, placeholder }, value, onChange }: ControlProps<'search'>) {
  const { text, setText, apply } = useDraft(value, onChange)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const applyAfter = (next: string, delay: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => apply(next), delay)
  }
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        applyAfter(target.value, SEARCH_DELAY_MS)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') applyAfter(text, 0)
      }}
    />
  )
}

const DayControl = ({ filter: { label }, value, onChange }: ControlProps<'day'>) => (
  <TextField label={label} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
)

const ALL = 'all'

const ChoiceControl = ({ filter: { label, all, options }, value, onChange }: ControlProps<'choice'>) => (
  <Select
    label={label}
    options={[{ value: ALL, label: all }, ...options]}
    value={value || ALL}
    onChange={(next) => onChange(next === ALL ? '' : next)}
  />
)

const CONTROLS: { readonly [K in Kind]: ComponentType<ControlProps<K>> } = {
  text: TextControl,
  search: SearchControl,
  day: DayControl,
  choice: ChoiceControl,
}

/** Returns when a day begins and when the next one does, as ISO 8601; undefined for what is no day. */
export function dayBounds(day: string | null): { start: string; end: string } | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  // A year is typed digit by digit: the field then has the year 0002, 0020, 0202.
  if (year === undefined || Number(year) < 1970) return undefined
  const midnight = (days: number) =>
    new Date(Number(year), Number(month) - 1, Number(date) + days).toISOString()
  return { start: midnight(0), end: midnight(1) }
}
