import { Link, useParams } from 'wouter'
import type {
  ConnectedAccount,
  listAccountHistory,
  listProviderRequests,
} from '../../../contract/connected-accounts/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { schemeName } from '../../../contract/scheme-names.ts'
import { useApi, useApiList } from '../../api/index.ts'
import { useLive } from '../../api/live.ts'
import { Card, DateTime, JsonView, Loaded, Page, Pagination, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { useToolkitNames } from '../../components/use-toolkit-names.ts'
import { LiveBadge } from '../../components/live-badge.tsx'
import { AccountActions } from './account-actions.tsx'

type Diagnosis = ReplyOf<typeof listProviderRequests>
type Change = ReplyOf<typeof listAccountHistory>['items'][number]

/** One connected account: its status over time, and what the server and the provider said to each other. */
export default function AccountPage() {
  const { id } = useParams<{ id: string }>()
  const path = `/connected_accounts/${id}`
  const { state, pollMs } = useLive()
  const account = useApi<ConnectedAccount>({ path }, { refetchInterval: pollMs })
  const nameOf = useToolkitNames(account.data ? [account.data.toolkit.slug] : [])
  return (
    <Page
      title={account.data ? `${nameOf(account.data.toolkit.slug)} of ${account.data.user_id}` : 'Account'}
      lead={<code>{id}</code>}
      actions={
        <>
          <LiveBadge state={state} />
          {account.data && <AccountActions account={account.data} />}
        </>
      }
    >
      <Loaded query={account}>
        {(data) => (
          <div className="stack">
            <Status account={data} />
            <DiagnosisCard path={path} />
            <History path={path} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const Status = ({ account }: { account: ConnectedAccount }) => (
  <Card title="Status">
    <div className="stack">
      <div className="row">
        <StatusBadge status={account.status} />
        {account.status_reason && <span>{account.status_reason}</span>}
      </div>
      <Facts
        items={[
          [
            'User',
            <Link key="user" href={`/users/${encodeURIComponent(account.user_id)}`}>
              {account.user_id}
            </Link>,
          ],
          ['Account at the application', account.identity?.email ?? account.identity?.name],
          ['Sign-in', schemeName(account.state.authScheme)],
          ['Auth config', account.auth_config.id],
          ['Requested scopes', account.requested_scopes?.join(' ') || undefined],
          ['Connected', <DateTime key="created" value={account.created_at} />],
          ['Changed', <DateTime key="updated" value={account.updated_at} />],
          [
            'Executions',
            <Link key="logs" href={`/logs?connected_account_id=${account.id}`}>
              Show in the logs
            </Link>,
          ],
        ]}
      />
    </div>
  </Card>
)

/** Requests to the provider as a ladder: what was sent, what came back, and what it means. */
function DiagnosisCard({ path }: { path: string }) {
  const diagnosis = useApi<Diagnosis>({ path: `${path}/exchanges` })
  return (
    <Card
      title="Requests to the provider"
      description="The latest requests about this account, newest first, without secrets."
    >
      <Loaded query={diagnosis}>
        {({ items, findings, account }) => (
          <>
            {account.token_expires_at && (
              <p className="hint">
                The access token expires <DateTime value={account.token_expires_at} />.
              </p>
            )}
            {findings.map(({ cause, fix, exchange }) => (
              <div key={`${exchange} ${cause}`} className="form-error">
                <p>{cause}</p>
                <p className="hint">{fix}</p>
              </div>
            ))}
            {items.length === 0 && (
              <p className="hint">The server sent no requests about this account yet.</p>
            )}
            <ol className="timeline">
              {items.map((item, index) => (
                // Two requests may have the same time.
                <li key={`${item.at} ${index}`} className={item.outcome === 'ok' ? 'good' : 'bad'}>
                  <Exchange item={item} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Card>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  start: 'Start the sign-in',
  code: 'Exchange the authorization code',
  refresh: 'Refresh the token',
  sign_in: 'Sign in',
  revoke: 'Revoke the access',
  probe: 'Test the credentials',
  follow_up: 'Read what belongs to the token',
  post_connect: 'Read what belongs to the account',
}
const OUTCOMES = { ok: 'OK', refused: 'Rejected by the provider', trouble: 'No usable response' } as const

const Exchange = ({ item }: { item: Diagnosis['items'][number] }) => (
  <details>
    <summary>
      {KINDS[item.kind] ?? item.kind}:{' '}
      <StatusBadge status={item.outcome === 'ok' ? 'OK' : 'ERROR'} label={OUTCOMES[item.outcome]} />{' '}
      {item.code && <code>{item.code}</code>}{' '}
      <span className="hint">
        <DateTime value={item.at} />, {item.duration_ms} ms
      </span>
    </summary>
    {item.request && <JsonView label="Request" value={item.request} />}
    <JsonView label="Response" value={item.answer} />
  </details>
)

function History({ path }: { path: string }) {
  const history = useApiList<Change>({ path: `${path}/history` }, 20)
  return (
    <Card title="Status over time">
      <Loaded query={{ ...history, data: history.rows }}>
        {(changes) => (
          <>
            {changes.length === 0 && (
              <p className="hint">The status has not changed since this account was created.</p>
            )}
            <ol className="timeline">
              {changes.map((change) => (
                <li key={`${change.at} ${change.to}`} className={change.to === 'ACTIVE' ? 'good' : ''}>
                  <div className="row">
                    {change.from && <StatusBadge status={change.from} />}
                    <span aria-label="to">→</span>
                    <StatusBadge status={change.to} />
                    <span className="hint">
                      <DateTime value={change.at} isExact />
                    </span>
                  </div>
                  {change.reason && <p className="hint">{change.reason}</p>}
                </li>
              ))}
            </ol>
            <Pagination of={history} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
