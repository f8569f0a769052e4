import { useState } from 'react'
import { ApiFailure } from '../../api/index.ts'
import { Form, Button, Card, Combobox, FormError, JsonView, TextArea } from '../../components/index.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { type Exchange, McpClient, type McpTool } from './mcp-client.ts'

interface Connection {
  client: McpClient
  server: string
  tools: McpTool[]
}

/**
 * Speaks the Model Context Protocol with an endpoint of this server, as an agent would: initialize, tools/list and
 * tools/call. Each message is shown.
 * @param url URL of the endpoint; its host is replaced by that of the page, which holds the session of the console
 */
export function Inspector({ url }: { url: string }) {
  const [connection, setConnection] = useState<Connection>()
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    await work().catch((error: unknown) =>
      setFailure(error instanceof ApiFailure ? error : new ApiFailure('The endpoint cannot be reached.')),
    )
    setBusy(false)
  }
  const connect = () =>
    run(async () => {
      setExchanges([])
      const { pathname, search } = new URL(url)
      const client = new McpClient(pathname + search, (exchange) =>
        setExchanges((current) => [exchange, ...current]),
      )
      const { serverInfo } = await client.initialize()
      setConnection({
        client,
        server: `${serverInfo.name} ${serverInfo.version}`,
        tools: await client.listTools(),
      })
    })
  return (
    <Card
      title="Inspector"
      description="Speaks MCP with this endpoint as an agent would, in your name. Tools that you call are executed."
      actions={
        <Button icon="play" isBusy={isBusy && !connection} onClick={() => void connect()}>
          {connection ? 'Connect again' : 'Connect'}
        </Button>
      }
    >
      <FormError failure={failure} />
      {connection && (
        <>
          <p role="status">
            Connected to {connection.server}: {connection.tools.length} tools.
          </p>
          <ToolCall
            tools={connection.tools}
            isBusy={isBusy}
            onCall={(name, values) =>
              void run(async () => void (await connection.client.callTool(name, values)))
            }
          />
        </>
      )}
      <Exchanges exchanges={exchanges} />
    </Card>
  )
}

/** The messages that were sent, newest first. */
const Exchanges = ({ exchanges }: { exchanges: readonly Exchange[] }) => (
  <ol className="timeline">
    {exchanges.map((exchange, index) => (
      <li key={exchanges.length - index}>
        <details>
          <summary>
            <code>{exchange.method}</code> <span className="hint">{exchange.milliseconds} ms</span>
          </summary>
          <JsonView label="Request" value={exchange.request} />
          <JsonView label="Response" value={exchange.response} />
        </details>
      </li>
    ))}
  </ol>
)

interface CallProps {
  tools: readonly McpTool[]
  isBusy: boolean
  onCall(name: string, values: unknown): void
}

function ToolCall({ tools, isBusy, onCall }: CallProps) {
  const [name, setName] = useState<string>()
  const [text, setText] = useState('{}')
  const [error, setError] = useState<string>()
  const tool = tools.find((one) => one.name === name)
  return (
    <Form
      onSubmit={() => {
        try {
          const values: unknown = JSON.parse(text)
          setError(undefined)
          if (tool) onCall(tool.name, values)
        } catch (problem) {
          setError(`This is not valid JSON: ${(problem as Error).message}`)
        }
      }}
    >
      <Combobox
        label="Tool"
        options={tools.map((one) => ({ value: one.name, label: one.name }))}
        value={name}
        onChange={setName}
      />
      {tool && (
        <>
          <p>
            <InlineCode>{tool.description}</InlineCode>
          </p>
          <TextArea
            label="Arguments"
            isCode
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={error}
          />
          <Button type="submit" look="primary" isBusy={isBusy}>
            Call the tool
          </Button>
          <details>
            <summary>Input schema</summary>
            <JsonView label="Input schema" value={tool.inputSchema} />
          </details>
        </>
      )}
    </Form>
  )
}
