import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Approval as ApprovalDetails } from '../../../contract/policies/index.ts'
import { may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import { Button, Card, Form, FormError, Loaded, StatusBadge, TextArea } from '../../components/index.ts'
import { ApprovalArguments } from '../approvals/arguments.tsx'
import type { AgentTool, CallEntry, Entry, PendingApproval } from './agent-run.ts'
import { useAgent } from './use-agent.ts'

interface ChatProps {
  sessionId: string
  prompt: string
  tools: readonly AgentTool[]
}

/** The conversation, with the calls of tools and their approvals in it. */
export function Chat({ sessionId, prompt, tools }: ChatProps) {
  const agent = useAgent(sessionId, prompt, tools)
  const [text, setText] = useState('')
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [agent.entries])
  const send = () => {
    const message = text.trim()
    if (!message || agent.isRunning) return
    setText('')
    void agent.send(message).then((isSent) => {
      // The person may have begun the next message meanwhile.
      if (!isSent) setText((current) => current || text)
    })
  }
  return (
    <Card title="Conversation">
      <div className="stack" role="log" aria-label="Conversation" aria-busy={agent.isRunning}>
        {agent.entries.length === 0 && (
          <p className="hint">
            Ask for something that needs a tool, such as “What time is it in Paris?”. The agent finds tools,
            runs them as the user of the session, and asks you where a policy requires an approval.
          </p>
        )}
        {agent.entries.map((entry) => (
          <ChatEntry key={entry.id} entry={entry} onDecided={() => agent.onDecided(entry.id)} />
        ))}
        <div ref={end} />
      </div>
      <FormError failure={agent.failure} />
      <Form onSubmit={send}>
        <TextArea
          label="Message"
          rows={3}
          maxLength={100_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
          hint="Enter sends the message, Shift and Enter start a new line."
        />
        <div className="actions">
          {agent.isRunning && <Button onClick={agent.stop}>Stop</Button>}
          <Button look="primary" type="submit" icon="play" isBusy={agent.isRunning}>
            Send
          </Button>
        </div>
      </Form>
    </Card>
  )
}

function ChatEntry({ entry, onDecided }: { entry: Entry; onDecided(): void }) {
  if (entry.kind === 'call') return <ToolCall call={entry} onDecided={onDecided} />
  return (
    <div className={`message ${entry.role}`}>
      <strong>{entry.role === 'user' ? 'You' : 'Agent'}</strong>
      <p>{entry.text}</p>
    </div>
  )
}

const STATES: Readonly<Record<CallEntry['status'], readonly [status: string, label: string]>> = {
  running: ['PENDING', 'Running'],
  waiting: ['PENDING', 'Waits for your decision'],
  done: ['SUCCESS', 'Succeeded'],
  failed: ['FAILED', 'Failed'],
}

function ToolCall({ call, onDecided }: { call: CallEntry; onDecided(): void }) {
  const [status, label] = STATES[call.status]
  return (
    <div className="message call">
      <div className="row">
        <code>{call.name}</code>
        <StatusBadge status={status} label={label} />
      </div>
      <details>
        <summary>Arguments{call.result !== undefined && ' and result'}</summary>
        <pre tabIndex={0}>{JSON.stringify(call.args, null, 2)}</pre>
        {call.result !== undefined && <pre tabIndex={0}>{JSON.stringify(call.result, null, 2)}</pre>}
      </details>
      {call.approvals.length > 0 && call.status === 'waiting' && (
        <Approvals approvals={call.approvals} onDecided={onDecided} />
      )}
    </div>
  )
}

function Approvals({ approvals, onDecided }: { approvals: readonly PendingApproval[]; onDecided(): void }) {
  const [decided, setDecided] = useState<readonly string[]>([])
  const onOne = (id: string) => {
    const all = [...decided, id]
    setDecided(all)
    if (approvals.every((approval) => all.includes(approval.id))) onDecided()
  }
  return approvals
    .filter(({ id }) => !decided.includes(id))
    .map((approval) => (
      <Approval key={approval.id} approval={approval} onDecided={() => onOne(approval.id)} />
    ))
}

type Choice = 'approve' | 'deny'

function Approval({ approval, onDecided }: { approval: PendingApproval; onDecided(): void }) {
  const me = useMe()
  // The call itself has only the beginning of long arguments.
  const details = useApi<ApprovalDetails>({ path: `/approvals/${approval.id}` })
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // From the first argument to the buttons after the last one, as a person reads.
    if (details.data) section.current?.scrollIntoView({ block: 'start' })
  }, [details.data])
  const decide = useApiMutation<Choice>(
    (choice) => ({
      method: 'POST',
      path: `/approvals/${approval.id}/${choice}`,
      ...(choice === 'approve' && { body: {} }),
    }),
    { invalidates: ['/approvals', '/overview'], onSuccess: onDecided },
  )
  return (
    <section className="approval" aria-label="Approval" ref={section}>
      <p>
        <strong>Allow {approval.tool_slug}?</strong> {approval.reason}
      </p>
      <Loaded query={details}>{(data) => <ApprovalArguments values={data.arguments} />}</Loaded>
      <FormError failure={decide.error} />
      {may(me.data, 'approvals:write') ? (
        <div className="actions">
          <Button look="danger" isBusy={decide.isPending} onClick={() => decide.mutate('deny')}>
            Deny
          </Button>
          <Button
            look="primary"
            isBusy={decide.isPending}
            disabled={!details.data}
            onClick={() => decide.mutate('approve')}
          >
            Allow once
          </Button>
        </div>
      ) : (
        <p className="hint">
          Your role does not allow you to decide. A member who can decide finds this call in{' '}
          <Link href="/approvals">Approvals</Link>; then{' '}
          <Button isSmall onClick={onDecided}>
            continue
          </Button>
        </p>
      )}
    </section>
  )
}
