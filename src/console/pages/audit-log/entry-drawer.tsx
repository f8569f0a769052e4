import { Button, DateTime, Drawer, JsonView, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import type { SetFilters } from '../../components/url-filters.ts'
import { actorText, type AuditEntry } from './entry.ts'

interface EntryDrawerProps {
  entry: AuditEntry | undefined
  set: SetFilters
}

/** One entry with the values that changed, and the way to entries like it. */
export const EntryDrawer = ({ entry, set }: EntryDrawerProps) => (
  <Drawer
    title="Entry of the audit log"
    isOpen={entry !== undefined}
    onClose={() => set({ entry: undefined })}
    isWide
  >
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
            ['Id of who', entry.actor.id],
            ['Object', `${entry.object.type} ${entry.object.id ?? ''}`],
            ['Status', entry.status],
            ['Error', entry.error ?? undefined],
            ['IP address', entry.source_ip],
            ['Program', entry.user_agent],
            ['Request id', entry.request_id],
            ['Number in the chain', entry.seq],
          ]}
        />
        <SimilarEntries entry={entry} set={set} />
        {entry.before && <JsonView label="Before" value={entry.before} />}
        {entry.after && <JsonView label="After" value={entry.after} />}
      </div>
    )}
  </Drawer>
)

/** Buttons that filter the list by a value of the entry. */
function SimilarEntries({ entry, set }: { entry: AuditEntry; set: SetFilters }) {
  const values: [label: string, filter: string, value: string | null][] = [
    ['Same caller', 'actor', entry.actor.id],
    ['Same operation', 'action', entry.action],
    ['Same object', 'object', entry.object.id],
  ]
  return (
    <div className="row" role="group" aria-label="Show entries with">
      {values.map(
        ([label, filter, value]) =>
          value !== null && (
            <Button key={filter} onClick={() => set({ [filter]: value, entry: undefined })}>
              {label}
            </Button>
          ),
      )}
    </div>
  )
}
