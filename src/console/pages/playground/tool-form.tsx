import { type ReactNode, useState } from 'react'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import type { ExecuteReply } from '../../../contract/tools/execution.ts'
import type { Tool } from '../../../contract/tools/index.ts'
import { type ApiRequest, useApi, useApiMutation, useScreenRequest } from '../../api/index.ts'
import {
  Button,
  Card,
  CheckField,
  Form,
  FormError,
  Select,
  Tabs,
  TextArea,
  TextField,
} from '../../components/index.ts'
import { SchemaForm } from '../../components/schema-form.tsx'
import { RequestCode } from '../../shell/request-code.tsx'
import { CallResult } from './call-result.tsx'
import { type Arguments, parseObject, readShared, useShared } from './shared-call.ts'

interface Caller {
  userId: string
  accountId: string
  version: string
  isDryRun: boolean
  pages: number
}
interface AccountPage {
  items: ConnectedAccount[]
}

const ANY_ACCOUNT = ''
const PAGES_MAX = 50

/** Arguments, caller and options of one call on the left, its result on the right. */
export function ToolForm({ tool }: { tool: Tool }) {
  const [initial] = useState(readShared)
  const [args, setArgs] = useState<Arguments>(initial.args)
  const [caller, setCaller] = useState<Caller>({
    userId: initial.userId,
    accountId: ANY_ACCOUNT,
    version: tool.version,
    isDryRun: false,
    pages: 1,
  })
  useShared(args, caller.userId)
  const request = requestFor(tool, args, caller)
  useScreenRequest(request)
  const run = useApiMutation<Arguments, ExecuteReply>((input) => requestFor(tool, input, caller), {
    invalidates: ['/overview', '/logs'],
  })
  const submit = (input: Arguments) => run.mutate(input)
  return (
    <div className="split">
      <div className="stack">
        <Card title={tool.name} description={tool.description}>
          <CallerFields tool={tool} caller={caller} onChange={setCaller} />
        </Card>
        <Card title="Arguments">
          <ArgumentFields
            tool={tool}
            args={args}
            onChange={setArgs}
            onSubmit={submit}
            isBusy={run.isPending}
            isDryRun={caller.isDryRun}
          />
        </Card>
      </div>
      <div className="stack">
        <Card title="Result">
          <FormError failure={run.error} />
          {run.data && <CallResult reply={run.data} />}
          {!run.data && !run.error && <p className="hint">Run the tool to see its result.</p>}
        </Card>
        <Card title="As code">
          <RequestCode request={request} />
        </Card>
      </div>
    </div>
  )
}

interface ArgumentFieldsProps {
  tool: Tool
  args: Arguments
  onChange(args: Arguments): void
  onSubmit(args: Arguments): void
  isBusy: boolean
  isDryRun: boolean
}

function ArgumentFields({ tool, args, onChange, onSubmit, isBusy, isDryRun }: ArgumentFieldsProps) {
  const button = (
    <Button type="submit" look="primary" icon="play" isBusy={isBusy}>
      {isDryRun ? 'Run without effect' : 'Run'}
    </Button>
  )
  const form = (
    <SchemaForm schema={tool.input_parameters} value={args} onChange={onChange} onSubmit={onSubmit}>
      {button}
    </SchemaForm>
  )
  return (
    <Tabs
      label="Ways to enter the arguments"
      tabs={[
        { id: 'form', label: 'Form', content: form },
        {
          id: 'json',
          label: 'JSON',
          content: (
            <JsonArguments args={args} onChange={onChange} onSubmit={onSubmit}>
              {button}
            </JsonArguments>
          ),
        },
      ]}
    />
  )
}

interface JsonProps extends Pick<ArgumentFieldsProps, 'args' | 'onChange' | 'onSubmit'> {
  children: ReactNode
}

/** The arguments as text. The form shows them, too, as soon as the text is an object. */
function JsonArguments({ args, onChange, onSubmit, children }: JsonProps) {
  const [text, setText] = useState(() => JSON.stringify(args, null, 2))
  const parsed = parseObject(text)
  return (
    <Form
      onSubmit={() => {
        if (parsed) onSubmit(parsed)
      }}
    >
      <TextArea
        label="Arguments as JSON"
        isCode
        spellCheck={false}
        value={text}
        error={parsed ? undefined : 'This is no JSON object. Check quotes and commas.'}
        onChange={(event) => {
          setText(event.target.value)
          const next = parseObject(event.target.value)
          if (next) onChange(next)
        }}
      />
      {children}
    </Form>
  )
}

interface CallerProps {
  tool: Tool
  caller: Caller
  onChange(next: Caller): void
}

function CallerFields({ tool, caller, onChange }: CallerProps) {
  const set = (change: Partial<Caller>) => onChange({ ...caller, ...change })
  return (
    <>
      {!tool.no_auth && <AccountChoice tool={tool} caller={caller} onChange={onChange} />}
      <div className="filters">
        <TextField
          label="User"
          maxLength={256}
          value={caller.userId}
          onChange={(event) => set({ userId: event.target.value, accountId: ANY_ACCOUNT })}
        />
        <Select
          label="Version"
          value={caller.version}
          onChange={(version) => set({ version })}
          options={tool.available_versions.map((version) => ({ value: version, label: version }))}
        />
      </div>
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

const requestFor = (tool: Tool, args: Arguments, caller: Caller): ApiRequest => ({
  method: 'POST',
  path: `/tools/execute/${tool.slug}`,
  body: {
    user_id: caller.userId,
    ...(caller.accountId && { connected_account_id: caller.accountId }),
    ...(caller.version !== tool.version && { version: caller.version }),
    arguments: args,
    ...(caller.isDryRun && { response: { dry_run: true } }),
    ...(caller.pages > 1 && { paging: { max_pages: caller.pages } }),
  },
})
