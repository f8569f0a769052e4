import { useDeferredValue } from 'react'
import { Link, useSearchParams } from 'wouter'
import { PREFIX } from '../../api/base.ts'
import { Card, EmptyState, Loaded, Page, TextField } from '../../components/index.ts'
import { usePublic } from '../../shell/samples/operations.ts'

interface Contents {
  groups: { title: string; pages: { path: string; title: string; summary: string }[] }[]
}

interface Hit {
  path: string
  title: string
  heading: string | null
  excerpt: string
}

const linkOf = (path: string): string => `/docs/${path.replace(/\.md$/, '')}`
/** The name of a heading in links, as the page makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Contents and full-text search of the documentation of this release. */
export default function Docs() {
  const [parameters, setParameters] = useSearchParams()
  const query = parameters.get('q') ?? ''
  return (
    <Page
      title="Documentation"
      lead="The guides and the reference of this release. They work without internet access."
      actions={
        <>
          <Link className="button primary" href="/docs/api">
            API reference
          </Link>
          <a className="button plain" href={`${PREFIX}/llms.txt`}>
            llms.txt
          </a>
        </>
      }
    >
      <div className="stack">
        <TextField
          label="Search the documentation"
          type="search"
          value={query}
          maxLength={200}
          onChange={({ target: { value } }) => setParameters(value ? { q: value } : {}, { replace: true })}
        />
        {query.trim() ? <Hits query={query.trim()} /> : <Groups />}
      </div>
    </Page>
  )
}

function Groups() {
  const contents = usePublic<Contents>('/docs/index.json')
  return (
    <Loaded query={contents}>
      {({ groups }) => (
        <div className="docs-groups">
          {groups.map(({ title, pages }) => (
            <Card key={title} title={title}>
              <ul className="docs-list">
                {pages.map((page) => (
                  <li key={page.path}>
                    <Link href={linkOf(page.path)}>{page.title}</Link>
                  </li>
                ))}
              </ul>
            </Card>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function Hits({ query }: { query: string }) {
  const deferred = useDeferredValue(query)
  const found = usePublic<{ items: Hit[] }>(`/docs/search.json?q=${encodeURIComponent(deferred)}`)
  return (
    <Loaded query={found}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon="search" title="Nothing found">
            Use fewer or other words. A section must contain all of them.
          </EmptyState>
        ) : (
          <ul className="docs-hits" aria-label="Sections found">
            {items.map(({ path, title, heading, excerpt }) => (
              <li key={`${path} ${heading}`}>
                <Link href={`${linkOf(path)}${heading === null ? '' : `#${anchorOf(heading)}`}`}>
                  {heading === null ? title : `${title}: ${heading}`}
                </Link>
                <p className="hint">{excerpt}</p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
