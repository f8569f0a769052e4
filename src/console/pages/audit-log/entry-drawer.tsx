import { DateTime, Drawer, JsonView, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import { actorText, type AuditEntry } from './entry.ts'

/** One entry with the values that changed. */
export const EntryDrawer = ({ entry, onClose }: { entry: AuditEntry | undefined; onClose(): void }) => (
  <Drawer title="Entry of the audit log" isOpen={entry !== undefined} onClose={onClose} isWide>
    {entry && (
      <div className="stack">
        <div className="row">
          <code>{entry.action}</code>
          <StatusBadge status={entry.outcome === 'failure' ? 'failed' : entry.outcome} />
          <DateTime value={entry.time} isExact />
        </div>
        <Facts
          items={[
            ['Who', actorText(entry.actor)],
            ['Object', `${entry.object.type} ${entry.object.id ?? ''}`],
            ['Status', entry.status],
            ['Error', entry.error ?? undefined],
            ['IP address', entry.source_ip],
            ['Program', entry.user_agent],
            ['Request id', entry.request_id],
            ['Number in the chain', entry.seq],
          ]}
        />
        {entry.before && <JsonView label="Before" value={entry.before} />}
        {entry.after && <JsonView label="After" value={entry.after} />}
      </div>
    )}
  </Drawer>
)
