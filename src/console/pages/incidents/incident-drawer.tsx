import type { readIncident } from '../../../contract/incidents.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApi } from '../../api/index.ts'
import { DateTime, Drawer, Loaded, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'

type Details = ReplyOf<typeof readIncident>

const ACCOUNTS_SHOWN = 100
const REFRESH_MS = 5_000
const STATUSES: Readonly<Record<Details['items'][number]['revocation'], [status: string, label: string]>> = {
  pending: ['PENDING', 'Being revoked'],
  done: ['OK', 'Revoked'],
  failed: ['ERROR', 'Failed'],
  unsupported: ['DISABLED', 'No revocation at the application'],
}

/** One incident: the frozen accounts, and whether their access is revoked. */
export const IncidentDrawer = ({ id, onClose }: { id: string | null; onClose(): void }) => (
  <Drawer title="Incident" isOpen={id !== null} onClose={onClose} isWide>
    {id !== null && <IncidentDetails id={id} />}
  </Drawer>
)

function IncidentDetails({ id }: { id: string }) {
  const incident = useApi<Details>(
    { path: `/org/incidents/${id}`, query: { limit: ACCOUNTS_SHOWN } },
    { refetchInterval: REFRESH_MS, keepPrevious: true },
  )
  return (
    <Loaded query={incident}>
      {(data) => (
        <div className="stack">
          <Facts
            items={[
              ['Reason', data.reason],
              ['Project', data.project_id ?? 'every project'],
              ['Application', data.toolkit_slug ?? 'every application'],
              ['User', data.user_id ?? 'every user'],
              ['When', <DateTime key="when" value={data.created_at} isExact />],
              ['Frozen accounts', data.frozen],
            ]}
          />
          <h3>Accounts</h3>
          {data.items.length === 0 && <p className="hint">No active account matched.</p>}
          <ul className="timeline">
            {data.items.map((account) => (
              <AccountLine key={account.connected_account_id} account={account} />
            ))}
          </ul>
          {data.frozen > data.items.length && (
            <p className="hint">The first {data.items.length} accounts are shown; the API has all.</p>
          )}
        </div>
      )}
    </Loaded>
  )
}

function AccountLine({ account }: { account: Details['items'][number] }) {
  const [status, label] = STATUSES[account.revocation]
  return (
    <li className={account.revocation === 'failed' ? 'bad' : ''}>
      <div className="row">
        <StatusBadge status={status} label={label} />
        <span>
          {account.toolkit.slug} of {account.user_id}
        </span>
        <code>{account.connected_account_id}</code>
      </div>
      {account.last_error && <p className="field-error">{account.last_error}</p>}
    </li>
  )
}
