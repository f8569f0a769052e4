import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { ProjectModel } from '../../../contract/playground.ts'
import { may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  Card,
  EmptyState,
  Form,
  FormError,
  Loaded,
  Page,
  Permitted,
  RestrictedForms,
  TextField,
} from '../../components/index.ts'
import type { AgentTool } from './agent-run.ts'
import { Chat } from './chat.tsx'
import { ModelForm } from './model-form.tsx'

/** A conversation with an agent that uses the tools of a session. The session is in the URL. */
export default function AgentPlayground() {
  const me = useMe()
  const [parameters, setParameters] = useSearchParams()
  const [isEditing, setEditing] = useState(false)
  const model = useApi<{ model: ProjectModel | null }>({ path: '/org/project/model' })
  const session = parameters.get('session')
  const canSet = may(me.data, 'unrestricted')
  return (
    <Page
      title="Agent"
      lead="Talk to an agent that works in a session, and see each call that it makes."
      actions={
        <>
          {canSet && model.data?.model && !isEditing && (
            <Button icon="settings" onClick={() => setEditing(true)}>
              {model.data.model.model}
            </Button>
          )}
          {session !== null && (
            <Button icon="plus" onClick={() => setParameters({})}>
              New session
            </Button>
          )}
        </>
      }
    >
      <Loaded query={model}>
        {({ model: current }) => {
          if (isEditing || current === null)
            return (
              <Permitted isAllowed={canSet} otherwise={<NoModel />}>
                <ModelForm model={current} onDone={() => setEditing(false)} />
              </Permitted>
            )
          return session === null ? (
            <Permitted
              isAllowed={may(me.data, 'sessions:write')}
              otherwise={<p className="hint">You may see sessions, and not start them.</p>}
            >
              <NewSession onCreated={(id) => setParameters({ session: id })} />
            </Permitted>
          ) : (
            <RestrictedForms isAllowed={may(me.data, 'sessions:write')}>
              <SessionChat key={session} id={session} />
            </RestrictedForms>
          )
        }}
      </Loaded>
    </Page>
  )
}

const NoModel = () => (
  <EmptyState icon="agent" title="No language model is set">
    An administrator sets the language model of the project on this page.
  </EmptyState>
)

function NewSession({ onCreated }: { onCreated(id: string): void }) {
  const [user, setUser] = useState('default')
  const [toolkits, setToolkits] = useState('')
  const slugs = toolkits.split(/[\s,]+/).filter(Boolean)
  const create = useApiMutation<void, { session_id: string }>(
    () => ({
      method: 'POST',
      path: '/tool_router/session',
      body: { user_id: user, ...(slugs.length > 0 && { toolkits: { enable: slugs } }) },
    }),
    { invalidates: ['/tool_router/session'], onSuccess: ({ session_id: id }) => onCreated(id) },
  )
  return (
    <Card title="Start a session" description="The agent acts for this user, with the accounts of the user.">
      <Form onSubmit={() => create.mutate()}>
        <TextField
          label="User"
          required
          maxLength={256}
          value={user}
          onChange={(event) => setUser(event.target.value)}
        />
        <TextField
          label="Applications"
          placeholder="all"
          hint="Slugs, such as github, slack. Empty: every application."
          value={toolkits}
          onChange={(event) => setToolkits(event.target.value)}
        />
        <FormError failure={create.error} />
        <Button look="primary" type="submit" isBusy={create.isPending}>
          Start
        </Button>
      </Form>
    </Card>
  )
}

interface SessionDetails {
  experimental?: { assistive_prompt?: string }
}

const PROMPT =
  'You help a person with applications. Search for tools before you say that something is impossible, and run them. ' +
  'Say what you did in a few sentences.'

function SessionChat({ id }: { id: string }) {
  const path = `/tool_router/session/${id}`
  const session = useApi<SessionDetails>({ path })
  const tools = useApi<{ items: AgentTool[] }>({ path: `${path}/tools`, query: { limit: 100 } })
  return (
    <div className="stack">
      <p className="hint">
        Session <Link href={`/sessions/${id}`}>{id}</Link>
      </p>
      <Loaded query={session}>
        {({ experimental }) => (
          <Loaded query={tools}>
            {({ items }) => (
              <Chat sessionId={id} prompt={experimental?.assistive_prompt ?? PROMPT} tools={items} />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}
