import { useState } from 'react'
import type { Policy } from '../../../contract/policies/index.ts'
import { may, useApiList, useMe } from '../../api/index.ts'
import {
  Button,
  type Column,
  Drawer,
  EmptyState,
  Page,
  RestrictedForms,
  StatusBadge,
} from '../../components/index.ts'
import { RecordList } from '../../components/record-list.tsx'
import { useLastFound } from '../../components/use-last-found.ts'
import { useUrlFilters } from '../../components/url-filters.ts'
import { describeConditions } from './describe-conditions.ts'
import { PolicyForm } from './policy-form.tsx'
import { PolicyTest } from './policy-test.tsx'

const OUTCOMES = { allow: 'Allow', ask: 'Ask a person', deny: 'Deny' } as const
const TONES = { allow: 'OK', ask: 'PENDING', deny: 'DENIED' } as const

const COLUMNS: Column<Policy>[] = [
  { id: 'name', header: 'Name', cell: ({ row }) => row.original.name },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ row: { original } }) => (
      <StatusBadge status={TONES[original.outcome]} label={OUTCOMES[original.outcome]} />
    ),
  },
  { id: 'when', header: 'Applies to', cell: ({ row }) => describeConditions(row.original.when) },
  {
    id: 'enabled',
    header: 'State',
    cell: ({ row }) => <StatusBadge status={row.original.enabled ? 'ENABLED' : 'DISABLED'} />,
  },
]

/** Rules that allow, deny, or ask a person about calls. */
export default function Policies() {
  const [parameters, set] = useUrlFilters()
  const [isTesting, setTesting] = useState(false)
  const policies = useApiList<Policy>({ path: '/policies' }, 100)
  const open = parameters.get('policy')
  const policy = useLastFound(
    open,
    policies.rows?.find(({ id }) => id === open),
  )
  const close = () => set({ policy: undefined })
  const canWrite = may(useMe().data, 'unrestricted')
  return (
    <Page
      title="Policies"
      lead="Rules for calls of agents. Deny has precedence over ask, and ask over allow."
      actions={
        <>
          <Button icon="play" onClick={() => setTesting(true)}>
            Test with past calls
          </Button>
          {canWrite && (
            <Button icon="plus" look="primary" onClick={() => set({ policy: 'new' })}>
              Add policy
            </Button>
          )}
        </>
      }
    >
      <RecordList
        label="Policies"
        list={policies}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => set({ policy: id })}
        empty={
          <EmptyState icon="shield" title="No policies yet">
            Without a policy, every call is allowed. Add one for calls that need a person, such as large
            refunds.
          </EmptyState>
        }
      />
      <Drawer
        title={policy ? 'Change the policy' : 'Add policy'}
        isOpen={open === 'new' || policy !== undefined}
        onClose={close}
        isWide
      >
        <RestrictedForms isAllowed={canWrite}>
          <PolicyForm key={open} policy={policy} onClose={close} />
        </RestrictedForms>
      </Drawer>
      <Drawer title="Test with past calls" isOpen={isTesting} onClose={() => setTesting(false)} isWide>
        <PolicyTest />
      </Drawer>
    </Page>
  )
}
