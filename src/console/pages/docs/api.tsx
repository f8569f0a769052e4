import { Link, useSearchParams } from 'wouter'
import { PREFIX } from '../../api/base.ts'
import { Card, EmptyState, Loaded, Page, TextField } from '../../components/index.ts'
import { labelOf } from '../../components/label.ts'
import { MarkdownLink } from './markdown-view.tsx'
import { type OperationList, useOperations } from '../../shell/samples/operations.ts'

/** Every operation of the API, by group, with a search. */
export default function ApiReference() {
  const operations = useOperations()
  const [parameters, setParameters] = useSearchParams()
  const query = parameters.get('q') ?? ''
  return (
    <Page
      title="API reference"
      lead={
        <>
          <Link href="/docs">Documentation</Link> · Every operation with its fields, errors and examples, and
          a form that sends it.
        </>
      }
      actions={
        <>
          <MarkdownLink path="/reference.md" />
          <a className="button plain" href={`${PREFIX}/openapi.json?api=v3.1`}>
            OpenAPI
          </a>
        </>
      }
    >
      <div className="stack">
        <TextField
          label="Search operations"
          type="search"
          value={query}
          onChange={({ target: { value } }) => setParameters(value ? { q: value } : {}, { replace: true })}
        />
        <Loaded query={operations} lines={10}>
          {(list) => <Groups list={list} query={query} />}
        </Loaded>
      </div>
    </Page>
  )
}

function Groups({ list: { tags, items }, query }: { list: OperationList; query: string }) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ id, method, path, summary }) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (found.length === 0)
    return (
      <EmptyState icon="search" title="No operation matches">
        Search by a word of its title, its method or its path.
      </EmptyState>
    )
  return (
    <>
      {tags.map(({ name, description }) => {
        const own = found.filter(({ tag }) => tag === name)
        return own.length === 0 ? null : (
          <Card key={name} title={labelOf(name)} description={description}>
            <ul className="operations">
              {own.map(({ id, method, path, summary, isDeprecated }) => (
                <li key={id}>
                  <span className={`method ${method.toLowerCase()}`}>{method}</span>
                  <Link href={`/docs/api/${id}`}>{summary}</Link>
                  <code>{path}</code>
                  {isDeprecated && <span className="badge warn">Deprecated</span>}
                </li>
              ))}
            </ul>
          </Card>
        )
      })}
    </>
  )
}
