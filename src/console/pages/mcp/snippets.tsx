import type { ClientConfigs } from '../../../contract/mcp-servers/index.ts'
import { useApi } from '../../api/index.ts'
import { Card, CodeBlock, Loaded, Tabs } from '../../components/index.ts'

/** What each MCP client needs to use an endpoint. */
export function Snippets({ path }: { path: string }) {
  const configs = useApi<ClientConfigs>({ path })
  return (
    <Card title="Connect a client">
      <Loaded query={configs}>
        {({ clients }) => (
          <Tabs
            label="Clients"
            tabs={clients.map(({ client, name, file, text, hint, needs_https: needsHttps }) => ({
              id: client,
              label: name,
              content: (
                <>
                  <p>{hint}</p>
                  {needsHttps && location.protocol !== 'https:' && (
                    <p className="form-error">
                      This client connects from the internet: it needs a public https URL of this server.
                    </p>
                  )}
                  <CodeBlock label={file ?? name} code={text} />
                </>
              ),
            }))}
          />
        )}
      </Loaded>
    </Card>
  )
}
