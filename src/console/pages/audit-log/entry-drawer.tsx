import { Button, DateTime, Drawer, JsonView, StatusBadge } from '../../components/index.ts'
import { Facts } from '../../components/facts.tsx'
import type { SetFilters } from '../../components/url-filters.ts'
import { useOperations } from '../../shell/samples/operations.ts'
import { actorText, type AuditEntry } from './entry.ts'
import { actionName, objectName, OUTCOMES, words } from './wording.ts'

interface EntryDrawerProps {
  entry: AuditEntry | undefined
  set: SetFilters
}

/** The name of an action. */
export function ActionName({ action }: { action: string }) {
  const operations = useOperations()
  return <>{actionName(action, operations.data?.items ?? [])}</>
}

const STATUSES = { success: 'success', failure: 'failed', unknown: 'pending' } as const

export const OutcomeBadge = ({ outcome }: { outcome: AuditEntry['outcome'] }) => (
  <StatusBadge status={STATUSES[outcome]} label={OUTCOMES[outcome] ?? outcome} />
)

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
          <strong>
            <ActionName action={entry.action} />
          </strong>
          <OutcomeBadge outcome={entry.outcome} />
          <DateTime value={entry.time} isExact />
        </div>
        <Facts
          items={[
            ['Who', actorText(entry.actor)],
            ['Id of the caller', entry.actor.id],
            ['Object', objectName(entry.object.type)],
            ['Id of the object', entry.object.id],
            ['Id of the operation', entry.action],
            ['HTTP status', entry.status],
            ['Error', entry.error === null ? undefined : words(entry.error)],
            ['IP address', entry.source_ip],
            ['User agent', entry.user_agent],
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
