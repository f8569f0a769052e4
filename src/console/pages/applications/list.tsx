import { useState } from 'react'
import { Link } from 'wouter'
import type { ToolkitSummary } from '../../../contract/toolkits/index.ts'
import { useApi, useApiList } from '../../api/index.ts'
import { EmptyState, Loaded, Page, Pagination, Select, TextField } from '../../components/index.ts'
import { useUrlFilters } from '../../components/url-filters.ts'
import { ToolkitLogo } from './logo.tsx'

const SEARCH_LENGTH_MIN = 3
const PAGE_SIZE = 48
const ALL = 'all'

/** All applications, with search and categories in the URL. */
export default function Applications() {
  const [parameters, set] = useUrlFilters()
  const [text, setText] = useState(parameters.get('search') ?? '')
  const category = parameters.get('category') ?? ALL
  const search = text.trim().length >= SEARCH_LENGTH_MIN ? text.trim() : undefined
  const categories = useApi<{ items: { id: string; name: string }[] }>({ path: '/toolkits/categories' })
  return (
    <Page
      title="Applications"
      lead="What agents can use. Choose one to connect it."
      actions={
        <Link href="/applications/import" className="button plain">
          Import an API
        </Link>
      }
    >
      <div className="filters">
        <TextField
          label="Search"
          type="search"
          placeholder="Name, or what it can do"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            set('search', event.target.value.trim())
          }}
        />
        <Select
          label="Category"
          value={category}
          onChange={(next) => set('category', next)}
          options={[
            { value: ALL, label: 'All categories' },
            ...(categories.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      <Grid search={search} category={category === ALL ? undefined : category} />
    </Page>
  )
}

function Grid({ search, category }: { search: string | undefined; category: string | undefined }) {
  const list = useApiList<ToolkitSummary>({ path: '/toolkits', query: { search, category } }, PAGE_SIZE)
  return (
    <Loaded query={{ ...list, data: list.rows }}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon="search" title="No application matches">
            Try another word, or import the API of the application by its OpenAPI document.
          </EmptyState>
        ) : (
          <>
            <ul className="tiles">
              {rows.map((toolkit) => (
                <li key={toolkit.slug}>
                  <Link href={`/applications/${toolkit.slug}`} className="tile">
                    <ToolkitLogo slug={toolkit.slug} />
                    <span>
                      <strong>{toolkit.name}</strong>
                      <span className="hint">{summary(toolkit)}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            <Pagination
              hasMore={list.hasNextPage}
              isLoading={list.isFetchingNextPage}
              onMore={() => void list.fetchNextPage()}
            />
          </>
        )
      }
    </Loaded>
  )
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const summary = ({ no_auth: noAuth, meta, type }: ToolkitSummary): string =>
  [
    meta.tools_count > 0 ? count(meta.tools_count, 'tool') : 'requests to its API',
    ...(meta.triggers_count > 0 ? [count(meta.triggers_count, 'trigger')] : []),
    ...(noAuth ? ['no account needed'] : []),
    ...(type === 'custom' ? ['imported'] : []),
  ].join(' · ')
