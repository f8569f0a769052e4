import { Link, useParams } from 'wouter'
import { may, useMe } from '../../api/index.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/index.ts'
import { usePublic } from '../../shell/samples/operations.ts'
import { MarkdownLink, MarkdownView } from './markdown-view.tsx'
import { parseMarkdown } from './markdown.ts'
import { RequestBuilder } from './request-builder.tsx'
import { FieldLine, SchemaTree } from './schema-tree.tsx'
import { type Operation, type OperationDocument, resolve } from '../../../contract/openapi-schema.ts'

const JSON_TYPE = 'application/json'

const isApi = (path: string): boolean => path.startsWith('/api/')

/** One operation: its fields, its responses, and a form that sends it. */
export default function OperationPage() {
  const { operation: id = '' } = useParams()
  const document = usePublic<OperationDocument>(`/openapi.json?api=v3.1&operation=${encodeURIComponent(id)}`)
  const back = <Link href="/docs/api">API reference</Link>
  const [path, methods] = Object.entries(document.data?.paths ?? {})[0] ?? []
  const [method, operation] = Object.entries(methods ?? {})[0] ?? []
  if (!document.data || path === undefined || method === undefined || !operation)
    return (
      <Page title="Operation" lead={back}>
        {document.error?.status === 404 ? (
          <EmptyState icon="search" title="No operation has this name">
            Choose one in the API reference.
          </EmptyState>
        ) : (
          <Loaded query={document}>{() => null}</Loaded>
        )}
      </Page>
    )
  return (
    <Page
      title={operation.summary}
      lead={back}
      actions={
        <>
          <MarkdownLink path={`/reference/${id}.md`} />
          {isApi(path) && (
            <a className="button primary" href="#send">
              Send a request
            </a>
          )}
        </>
      }
    >
      <p className="operation-line">
        <span className={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
        {operation.deprecated && <span className="badge warn">Deprecated</span>}
      </p>
      <div className="split">
        <Description operation={operation} document={document.data} />
        <Sender operation={operation} document={document.data} method={method} path={path} />
      </div>
    </Page>
  )
}

interface PartProps {
  operation: Operation
  document: OperationDocument
}

function Description({ operation, document }: PartProps) {
  const { description = '', parameters = [], requestBody, responses } = operation
  const body = requestBody?.content[JSON_TYPE]?.schema
  return (
    <div className="stack">
      <MarkdownView blocks={parseMarkdown(description)} path="reference/api" />
      {parameters.length > 0 && (
        <Card title="Parameters">
          <ul className="schema">
            {parameters.map(({ name, in: place, required, description: text, deprecated, schema }) => (
              <li key={`${place} ${name}`}>
                <FieldLine
                  name={name}
                  schema={{
                    ...resolve(schema, document),
                    ...(text !== undefined && { description: text }),
                    ...(deprecated && { deprecated }),
                  }}
                  isRequired={required === true}
                  document={document}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {body && (
        <Card title="Body">
          <SchemaTree schema={body} document={document} />
        </Card>
      )}
      <Card title="Responses">
        {Object.entries(responses).map(([status, response]) => (
          <ResponsePart
            key={status}
            status={status}
            response={resolve(response, document)}
            document={document}
          />
        ))}
      </Card>
    </div>
  )
}

interface ResponseProps {
  status: string
  response: Operation['responses'][string]
  document: OperationDocument
}

const ResponsePart = ({ status, response, document }: ResponseProps) => {
  const schema = response.content?.[JSON_TYPE]?.schema
  const isSuccess = status.startsWith('2')
  return (
    <details className="response" open={isSuccess}>
      <summary>
        <span className={`badge ${isSuccess ? 'good' : 'bad'}`}>{status}</span>
      </summary>
      <MarkdownView blocks={parseMarkdown(response.description ?? '')} path="reference/api" />
      {isSuccess && schema && <SchemaTree schema={schema} document={document} />}
    </details>
  )
}

function Sender({ operation, document, method, path }: PartProps & { method: string; path: string }) {
  const me = useMe()
  const permission = operation['x-permission']
  const isOrganization = operation.security.some((one) => 'OrgApiKeyAuth' in one)
  const maySend =
    isApi(path) &&
    (isOrganization
      ? may(me.data, 'administrator')
      : permission
        ? may(me.data, `${permission.area}:${permission.level}`)
        : me.data !== undefined)
  if (!isApi(path)) return <p className="hint">This URL needs no key: open it in the browser.</p>
  return (
    <div id="send" tabIndex={-1}>
      <RequestBuilder
        operation={operation}
        document={document}
        method={method.toUpperCase() as 'GET'}
        path={path}
        maySend={maySend}
        isSignedIn={me.data !== undefined}
      />
    </div>
  )
}
