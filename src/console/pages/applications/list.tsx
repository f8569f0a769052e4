import { Link } from 'wouter'
import type { ToolkitSummary } from '../../../contract/toolkits/index.ts'
import { useApi, useApiList } from '../../api/index.ts'
import { EmptyState, Loaded, Page, Pagination } from '../../components/index.ts'
import { type Filter, Filters } from '../../components/filters.tsx'
import { useUrlFilters } from '../../components/url-filters.ts'
import { categoryName } from './category-name.ts'
import { ToolkitLogo } from './logo.tsx'

const SEARCH_LENGTH_MIN = 3
const PAGE_SIZE = 48

interface Category {
  id: string
  name: string
}

const filtersOf = (categories: readonly Category[] = []): Filter[] => [
  { kind: 'search', name: 'search', label: 'Search', placeholder: 'Name, or what it can do' },
  {
    kind: 'choice',
    name: 'category',
    label: 'Category',
    all: 'All categories',
    options: categories.map(({ id, name }) => ({ value: id, label: categoryName(name) })),
  },
]

/** All applications, with search and categories in the URL. */
export default function Applications() {
  const [filters] = useUrlFilters()
  const text = filters.get('search') ?? ''
  const search = text.length >= SEARCH_LENGTH_MIN ? text : undefined
  const categories = useApi<{ items: Category[] }>({ path: '/toolkits/categories' })
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
      <Filters fields={filtersOf(categories.data?.items)} />
      <Grid search={search} category={filters.get('category') ?? undefined} />
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
            <Pagination of={list} />
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
