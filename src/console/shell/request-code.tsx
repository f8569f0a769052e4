import { API_PATH, PREFIX } from '../api/base.ts'
import { type ApiRequest, pathOf } from '../api/client.ts'
import { CodeBlock } from '../components/code.tsx'
import { Tabs } from '../components/tabs.tsx'
import { asCommand } from './samples/command.ts'
import { asCurl, asPython, asTypeScript, type SampleRequest } from './samples/http.ts'
import { useOperations } from './samples/operations.ts'

/** One request as curl, TypeScript, Python and as a command of the CLI. */
export function RequestCode({ request, hasTitle = true }: { request: ApiRequest; hasTitle?: boolean }) {
  const operations = useOperations()
  const sample: SampleRequest = { ...request, url: `${location.origin}${API_PATH}${pathOf(request)}` }
  const command = asCommand(sample, operations.data?.items ?? [], `${location.origin}${PREFIX}`)
  const codes = [
    { id: 'curl', label: 'curl', code: asCurl(sample) },
    { id: 'ts', label: 'TypeScript', code: asTypeScript(sample) },
    { id: 'python', label: 'Python', code: asPython(sample) },
    ...(command === undefined ? [] : [{ id: 'cli', label: 'CLI', code: command }]),
  ]
  const title = `${request.method ?? 'GET'} ${request.path}`
  return (
    <section className="request-code">
      {hasTitle && <h3>{title}</h3>}
      <Tabs
        label={`Code of ${title}`}
        tabs={codes.map(({ id, label, code }) => ({
          id,
          label,
          content: <CodeBlock label={label} name={`${label}, ${title}`} code={code} />,
        }))}
      />
    </section>
  )
}
