import { Link, useParams } from 'wouter'
import type { Session } from '../../../contract/sessions/index.ts'
import { useApi } from '../../api/index.ts'
import { Card, Loaded, Page, Tabs } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { Inspector } from '../mcp/inspector.tsx'
import { Snippets } from '../mcp/snippets.tsx'
import { Notes } from '../users/notes.tsx'
import { Calls } from './calls.tsx'
import { Files } from './files.tsx'
import { History } from './history.tsx'

/** One session: its configuration over time, its calls, the notes about its user, and its files. */
export default function SessionPage() {
  const { id } = useParams<{ id: string }>()
  const path = `/tool_router/session/${id}`
  const session = useApi<Session>({ path })
  return (
    <Page title="Session" lead={<code>{id}</code>}>
      <Loaded query={session}>
        {(data) => (
          <div className="stack">
            <Card title="Overview">
              <Facts
                items={[
                  [
                    'User',
                    <Link key="user" href={`/users/${encodeURIComponent(data.config.user_id)}`}>
                      {data.config.user_id}
                    </Link>,
                  ],
                  ['Configuration', `version ${data.config_version}`],
                  ['Applications', data.config.toolkits?.enabled?.join(', ') ?? 'all'],
                  ['URL for MCP clients', <code key="url">{data.mcp.url}</code>],
                ]}
              />
            </Card>
            <Tabs
              label="Parts of the session"
              tabs={[
                { id: 'calls', label: 'Calls', content: <Calls id={id} /> },
                { id: 'config', label: 'Configuration', content: <History path={path} /> },
                { id: 'notes', label: 'Notes', content: <Notes userId={data.config.user_id} /> },
                { id: 'files', label: 'Files', content: <Files path={path} /> },
                {
                  id: 'connect',
                  label: 'Connect a client',
                  content: <Snippets path={`${path}/client_configs`} />,
                },
                { id: 'inspector', label: 'Inspector', content: <Inspector url={data.mcp.url} /> },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
