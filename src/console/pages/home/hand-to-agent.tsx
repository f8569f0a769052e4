import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { ClientConfigs } from '../../../contract/mcp-servers/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import type { listUsers } from '../../../contract/users.ts'
import {
  type ApiFailure,
  currentProject,
  may,
  useApi,
  useApiMutation,
  useMe,
  useStore,
} from '../../api/index.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { FormError } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { Loaded, StatusBadge } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'

const POLL_MS = 3_000
const DEFAULT_USER = 'default'
/** Users who are offered; a project with more is past its first steps. */
const USERS_MAX = 50

interface Session {
  session_id: string
}
interface Logs {
  logs: { id: string; metadata: { tool_slug: string } }[]
}
interface NewKey {
  key: string
}

/** The session of this step, so that it is still there after a reload. */
const storageKey = (project: string): string => `patchbay.first-session.${project}`

interface HandToAgentProps {
  /** The user who has just connected an account, if the person comes from there. */
  firstUser: string | null
  onCall(): void
}

/**
 * Opens a session for an agent with a key that may call its tools and nothing else, shows how ten clients reach it, and
 * waits for its first call. Without the right to create keys, the snippets have a placeholder.
 */
export function HandToAgent({ firstUser, onCall }: HandToAgentProps) {
  const { data: me } = useMe()
  const project = useStore(currentProject) ?? ''
  const [session, setSession] = useState(sessionStorage.getItem(storageKey(project)))
  const user = useAgentUser(firstUser)
  const key = useApiMutation<void, NewKey>(() => ({
    method: 'POST',
    path: `/org/owner/project/${project}/api_keys`,
    body: {
      name: 'agent of the first steps',
      permissions: { sessions: ['write'], tool_execution: ['write'] },
    },
  }))
  const open = useApiMutation<void, Session>(
    () => ({ method: 'POST', path: '/tool_router/session', body: { user_id: user.id } }),
    {
      onSuccess({ session_id: id }) {
        sessionStorage.setItem(storageKey(project), id)
        setSession(id)
        if (may(me, 'administrator')) key.mutate()
      },
    },
  )
  const forget = () => {
    sessionStorage.removeItem(storageKey(project))
    setSession(null)
    key.reset()
    open.reset()
  }
  if (session === null)
    return (
      <OpenSession user={user} isBusy={open.isPending} failure={open.error} onOpen={() => open.mutate()} />
    )
  return (
    <>
      <FirstCall id={session} onCall={onCall} />
      {key.data ? (
        <p className="hint">
          The snippets contain a new key that may use sessions and run tools, nothing else. It is shown only
          now; revoke it under API keys.
        </p>
      ) : (
        may(me, 'administrator') && (
          <p>
            <Button icon="key" isBusy={key.isPending} onClick={() => key.mutate()}>
              Create a key for the snippets
            </Button>
          </p>
        )
      )}
      <FormError failure={key.error} />
      <Clients id={session} apiKey={key.data?.key} />
      <Button look="quiet" isSmall onClick={forget}>
        Open another session
      </Button>
    </>
  )
}

interface OpenSessionProps {
  user: ReturnType<typeof useAgentUser>
  isBusy: boolean
  failure: ApiFailure | null
  onOpen(): void
}

const OpenSession = ({ user, isBusy, failure, onOpen }: OpenSessionProps) => (
  <>
    <p className="hint">
      A session gives an agent the applications of one user. It works in every MCP client and in programs.
    </p>
    {user.options.length > 1 && (
      <Select label="User of the agent" options={user.options} value={user.id} onChange={user.choose} />
    )}
    <Button icon="agent" isBusy={isBusy} onClick={onOpen}>
      Open a session
    </Button>
    <FormError failure={failure} />
  </>
)

/**
 * The user whose applications the agent gets: by default one who has connected an application, because an agent of
 * another user finds none.
 */
function useAgentUser(preferred: string | null) {
  const { data: me } = useMe()
  const [chosen, choose] = useState<string>()
  const users = useApi<ReplyOf<typeof listUsers>>(
    may(me, 'connected_accounts:read') ? { path: '/users', query: { limit: USERS_MAX } } : undefined,
  )
  const connected = users.data?.items
    .filter(({ active_accounts: active }) => active > 0)
    .map(({ user_id: id }) => id)
  const ids = connected?.length ? connected : [DEFAULT_USER]
  const first = [preferred, DEFAULT_USER].find((one) => one !== null && ids.includes(one))
  const id = chosen ?? first ?? (ids[0] as string)
  return { id, choose, options: ids.map((value) => ({ value, label: value })) }
}

function Clients({ id, apiKey }: { id: string; apiKey: string | undefined }) {
  const configs = useApi<ClientConfigs>({
    path: `/tool_router/session/${id}/client_configs`,
    query: { auth: 'key' },
  })
  return (
    <Loaded query={configs}>
      {({ clients, key_placeholder: placeholder }) => (
        <>
          {apiKey === undefined && (
            <p className="hint">
              Replace <code>{placeholder}</code> by an API key with the permissions sessions:write and
              tool_execution:write.
            </p>
          )}
          <Tabs
            label="MCP clients"
            tabs={clients.map(({ client, name, text, file, hint, needs_https: needsHttps }) => ({
              id: client,
              label: name,
              content: (
                <>
                  <p className="hint">
                    {hint} {needsHttps && 'The server needs a public https URL for it.'}
                  </p>
                  <CodeBlock
                    label={file ?? name}
                    code={text.replaceAll(placeholder, apiKey ?? placeholder)}
                  />
                </>
              ),
            }))}
          />
        </>
      )}
    </Loaded>
  )
}

function FirstCall({ id, onCall }: { id: string; onCall(): void }) {
  const logs = useApi<Logs>(
    {
      method: 'POST',
      path: '/logs/tool_execution',
      body: { limit: 1, filters: [{ field: 'session_id', operator: '==', value: id }] },
    },
    { refetchInterval: POLL_MS },
  )
  const call = logs.data?.logs[0]
  const isCalled = call !== undefined
  useEffect(() => {
    if (isCalled) onCall()
  }, [isCalled, onCall])
  return (
    <p aria-live="polite">
      {call ? (
        <>
          <StatusBadge status="ACTIVE" label="Connected" /> {`The agent called ${call.metadata.tool_slug}.`}{' '}
          <Link href={`/logs?log=${call.id}`}>Show it in the logs</Link>
        </>
      ) : (
        <>
          <StatusBadge status="PENDING" label="Waiting" /> The first call of the agent appears here.
        </>
      )}
    </p>
  )
}
