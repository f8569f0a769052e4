import { useState } from 'react'
import type { verifyAuditLog } from '../../../contract/audit-log.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApi } from '../../api/index.ts'
import { Button, Dialog, Loaded, StatusBadge } from '../../components/index.ts'

type Result = ReplyOf<typeof verifyAuditLog>

/** A button that computes the hashes of all entries again, and shows whether one was changed or removed. */
export function Verification({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false)
  const result = useApi<Result>(isOpen ? { path: `${path}/verify` } : undefined)
  return (
    <>
      <Button icon="shield" onClick={() => setOpen(true)}>
        Verify
      </Button>
      <Dialog title="Verify the audit log" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Loaded query={result}>{(data) => <Chains result={data} />}</Loaded>
      </Dialog>
    </>
  )
}

const PROBLEMS: Readonly<Record<NonNullable<Result['chains'][number]['problem']>['problem'], string>> = {
  entry_missing: 'is missing',
  entry_changed: 'was changed',
  columns_changed: 'has other values in the columns for filters than in its text',
  head_changed: 'is the newest one, and differs from the stored end of the chain',
}

const Chains = ({ result: { valid, chains } }: { result: Result }) => (
  <div className="stack">
    <p>
      <StatusBadge
        status={valid ? 'OK' : 'ERROR'}
        label={valid ? 'Complete and unchanged' : 'Entries were changed'}
      />
    </p>
    {chains.map(({ chain, entries, head, problem }) => (
      <div key={chain}>
        <p>
          {entries} entries of <code>{chain}</code>
        </p>
        {problem && (
          <p className="form-error" role="alert">
            Entry {problem.seq} {PROBLEMS[problem.problem]}.
          </p>
        )}
        <p className="hint">
          Newest entry: number {head.seq}, hash <code>{head.hash}</code>. Keep a copy elsewhere: it detects
          that the whole log was replaced.
        </p>
      </div>
    ))}
  </div>
)
