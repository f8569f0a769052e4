import { Link } from 'wouter'
import type { Approval } from '../../../contract/policies/index.ts'
import { type ApiFailure, may, useApi, useApiMutation, useMe } from '../../api/index.ts'
import {
  Button,
  DateTime,
  Drawer,
  FormError,
  Loaded,
  showToast,
  StatusBadge,
} from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { ApprovalArguments } from './arguments.tsx'

/** One call: its exact arguments, and the decision. */
export function ApprovalDrawer({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const approval = useApi<Approval>(id === undefined ? undefined : { path: `/approvals/${id}` })
  return (
    <Drawer title="Approval" isOpen={id !== undefined} onClose={onClose} isWide>
      <Loaded query={approval}>{(data) => <Details approval={data} onDecided={onClose} />}</Loaded>
    </Drawer>
  )
}

function Details({ approval, onDecided }: { approval: Approval; onDecided(): void }) {
  return (
    <div className="stack">
      <div className="row">
        <StatusBadge status={approval.status} />
        <code>{approval.tool_slug}</code>
      </div>
      {approval.reason && <p>{approval.reason}</p>}
      <Sources sources={approval.untrusted_sources} />
      <ApprovalArguments values={approval.arguments} />
      <Facts
        items={[
          [
            'User',
            approval.user_id && (
              <Link href={`/users/${encodeURIComponent(approval.user_id)}`}>{approval.user_id}</Link>
            ),
          ],
          [
            'Account',
            approval.connected_account_id && (
              <Link href={`/accounts/${approval.connected_account_id}`}>{approval.connected_account_id}</Link>
            ),
          ],
          [
            'Session',
            approval.session_id && (
              <Link href={`/sessions/${approval.session_id}`}>{approval.session_id}</Link>
            ),
          ],
          ['Policies', approval.policy_ids.join(', ')],
          ['Requested', <DateTime key="created" value={approval.created_at} isExact />],
          ['Expires', <DateTime key="expires" value={approval.expires_at} isExact />],
          ['Decided by', approval.decided_by ?? undefined],
          [
            'Executed',
            approval.used_log_id ? (
              <Link href={`/logs?log=${approval.used_log_id}`}>Show the execution</Link>
            ) : undefined,
          ],
        ]}
      />
      {approval.status === 'pending' && <Decision approval={approval} onDecided={onDecided} />}
    </div>
  )
}

/** What the agent read before: content of other people may contain instructions to it. */
function Sources({ sources }: { sources: Approval['untrusted_sources'] }) {
  if (sources.length === 0) return null
  return (
    <section aria-label="Untrusted content">
      <h3>Before this call, the agent read content that other people wrote</h3>
      <dl className="argument-list">
        {sources.map(({ category, toolkit_slug, tool_slug, connected_account_id, note, log_id }) => (
          <div key={`${category} ${toolkit_slug} ${connected_account_id}`}>
            <dt>{category}</dt>
            <dd>
              {note ?? tool_slug} {log_id && <Link href={`/logs?log=${log_id}`}>Show the execution</Link>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type Choice = 'once' | 'session' | 'deny'

function Decision({ approval, onDecided }: { approval: Approval; onDecided(): void }) {
  const me = useMe()
  const decide = useApiMutation<Choice>(
    (choice) => ({
      method: 'POST',
      path: `/approvals/${approval.id}/${choice === 'deny' ? 'deny' : 'approve'}`,
      ...(choice !== 'deny' && { body: { for_session: choice === 'session' } }),
    }),
    {
      invalidates: ['/approvals', '/overview'],
      onSuccess: (_, choice) => {
        showToast(choice === 'deny' ? 'The call was denied' : 'The call was approved')
        onDecided()
      },
    },
  )
  if (!may(me.data, 'approvals:write'))
    return <p className="hint">You may see approvals, and not decide about them.</p>
  const isRunning = (choice: Choice) => decide.isPending && decide.variables === choice
  return (
    <>
      <FormError failure={decide.error as ApiFailure | null} />
      <div className="actions">
        <Button look="danger" isBusy={isRunning('deny')} onClick={() => decide.mutate('deny')}>
          Deny
        </Button>
        {approval.choices.includes('allow_session') && (
          <Button isBusy={isRunning('session')} onClick={() => decide.mutate('session')}>
            Allow for this session
          </Button>
        )}
        <Button look="primary" isBusy={isRunning('once')} onClick={() => decide.mutate('once')}>
          Allow once
        </Button>
      </div>
    </>
  )
}
