import { useState } from 'react'
import { useApi } from '../../api/index.ts'
import { Combobox, IconButton } from '../../components/index.ts'

interface PickerProps {
  /** Label of the search, such as `Add an application`. */
  label: string
  /** Name of the list of what is chosen, for screen readers. */
  listLabel: string
  /** List of the API that the search reads: its items have a slug and a name. */
  path: '/toolkits' | '/tools'
  /** Further parameters of the list. */
  query?: Readonly<Record<string, string | undefined>>
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

const FOUND_MAX = 20

/** A choice of several applications or tools: a search, and below it what is chosen. */
export function Picker({ label, listLabel, path, query, chosen, onChange }: PickerProps) {
  const [search, setSearch] = useState('')
  const found = useApi<{ items: { slug: string; name: string }[] }>(
    { path, query: { ...query, search: search || undefined, limit: FOUND_MAX } },
    { keepPrevious: true },
  )
  const options = (found.data?.items ?? [])
    .filter(({ slug }) => !chosen.includes(slug))
    .map(({ slug, name }) => ({ value: slug, label: name, hint: slug }))
  return (
    <>
      <Combobox
        // A new field for each choice, so that the text of the last one is gone.
        key={chosen.length}
        label={label}
        options={options}
        request={found}
        value={undefined}
        onChange={(slug) => onChange([...chosen, slug])}
        onSearch={setSearch}
      />
      {chosen.length > 0 && (
        <ul className="chosen" aria-label={listLabel}>
          {chosen.map((slug) => (
            <li key={slug}>
              {slug}
              <IconButton
                icon="close"
                label={`Remove ${slug}`}
                onClick={() => onChange(chosen.filter((other) => other !== slug))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
