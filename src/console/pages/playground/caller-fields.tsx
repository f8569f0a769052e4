import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import type { Tool } from '../../../contract/tools/index.ts'
import { useApi } from '../../api/index.ts'
import { CheckField, Select, TextField } from '../../components/index.ts'

/** For whom a call runs, and how. */
export interface Caller {
  userId: string
  accountId: string
  version: string
  isDryRun: boolean
  pages: number
}
interface AccountPage {
  items: ConnectedAccount[]
}

/** Not empty: a choice without a value looks as if nothing was chosen. */
export const ANY_ACCOUNT = 'latest'
const PAGES_MAX = 50

interface CallerProps {
  tool: Tool
  caller: Caller
  onChange(next: Caller): void
}

/** Fields for account, user, version and options of a call. */
export function CallerFields({ tool, caller, onChange }: CallerProps) {
  const set = (change: Partial<Caller>) => onChange({ ...caller, ...change })
  return (
    <>
      {!tool.no_auth && <AccountChoice tool={tool} caller={caller} onChange={onChange} />}
      <TextField
        label="User"
        maxLength={256}
        value={caller.userId}
        onChange={(event) => set({ userId: event.target.value, accountId: ANY_ACCOUNT })}
      />
      {/* Folded up, so that the arguments and the button are on the first screen. */}
      <details>
        <summary>Version, pages and dry run</summary>
        <Select
          label="Version"
          value={caller.version}
          onChange={(version) => set({ version })}
          options={tool.available_versions.map((version) => ({ value: version, label: version }))}
        />
        <TextField
          label="Pages to read"
          hint="Reads further pages of a list in the same call."
          type="number"
          min={1}
          max={PAGES_MAX}
          value={caller.pages}
          onChange={(event) =>
            set({ pages: Math.min(Math.max(Number(event.target.value) || 1, 1), PAGES_MAX) })
          }
        />
        <CheckField
          label="Dry run"
          hint="Checks the call and shows the request that would be sent. Nothing is sent."
          checked={caller.isDryRun}
          onChange={(event) => set({ isDryRun: event.target.checked })}
        />
      </details>
    </>
  )
}

function AccountChoice({ tool, caller, onChange }: CallerProps) {
  const accounts = useApi<AccountPage>({
    path: '/connected_accounts',
    query: { toolkit_slugs: tool.toolkit.slug, statuses: 'ACTIVE', limit: 50 },
  })
  return (
    <Select
      label="Account"
      value={caller.accountId}
      onChange={(accountId) => onChange({ ...caller, accountId, ...userOf(accounts.data, accountId) })}
      options={[
        { value: ANY_ACCOUNT, label: 'The latest account of the user' },
        ...(accounts.data?.items ?? []).map((account) => ({
          value: account.id,
          label: `${account.identity?.label ?? account.id} (${account.user_id})`,
        })),
      ]}
    />
  )
}

function userOf(page: AccountPage | undefined, id: string): Partial<Caller> {
  const account = page?.items.find((one) => one.id === id)
  return account ? { userId: account.user_id } : {}
}
