import { createConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { callApi } from '../api-client/call.ts'
import type { Context, Step } from './apply-project.ts'
import type { ProjectFile, SourceItem } from './project-file.ts'
import { quoteWord } from './quote-word.ts'
import { readList } from './read-project.ts'
import { errorText, isServerTrouble, rejected, type Server } from './server.ts'
import type { AccountSecrets } from './secrets.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const accountKey = ({ user_id, toolkit }: SourceItem) => [user_id, toolkit].join('|')

/**
 * A user who is connected in the target keeps that account. The others are created if the file has their credentials;
 * else they connect again.
 */
export async function transferAccounts(target: Server, file: ProjectFile, context: Context): Promise<Step[]> {
  const active = (await readList(target, 'connected_accounts')).filter(({ status }) => status === 'ACTIVE')
  const free = Map.groupBy(active, accountKey)
  const schemes = new Map(file.auth_configs.map(({ id, auth_scheme }) => [id, auth_scheme]))
  const steps: Step[] = []
  for (const account of file.connected_accounts) {
    const existing = takeMatch(free.get(accountKey(account)) ?? [], account, context)
    const secrets = context.secrets.accounts.get(account.id)
    const name = `${text(account['toolkit'])} of ${text(account['user_id'])}`
    const result = existing
      ? ({ action: 'exists', id: existing.id, note: '' } as const)
      : secrets
        ? await createAccount(target, account, schemes.get(text(account['auth_config_id'])), secrets, context)
        : connectLater(account)
    if (result.id !== null) context.ids.set(account.id, result.id)
    steps.push({ kind: 'connected_accounts', name, ...result })
  }
  return steps
}

type Result = Pick<Step, 'action' | 'id' | 'note'>

/** Takes the account of the same auth config out of the candidates, or else the first one. */
function takeMatch(candidates: SourceItem[], account: SourceItem, { ids }: Context): SourceItem | undefined {
  const config = ids.get(text(account['auth_config_id']))
  const at = candidates.findIndex(({ auth_config_id }) => auth_config_id === config)
  return candidates.splice(Math.max(0, at), 1)[0]
}

const connectLater = (account: SourceItem): Result => ({
  action: 'connect',
  id: null,
  note: `patchbay connect ${text(account['toolkit'])} --user ${quoteWord(text(account['user_id']))}`,
})

async function createAccount(
  target: Server,
  account: SourceItem,
  authScheme: unknown,
  { val, token_expires_at: end }: AccountSecrets,
  { ids, dryRun }: Context,
): Promise<Result> {
  const config = ids.get(text(account['auth_config_id']))
  if (config === undefined) return connectLater(account)
  if (dryRun) return { action: 'create', id: null, note: '' }
  // A token that has ended is refreshed before its first use.
  const lifetime =
    end === null ? {} : { expires_in: Math.max(1, Math.round((Date.parse(end) - Date.now()) / 1_000)) }
  const { status, body } = await callApi(
    target.io,
    target.connection,
    createConnectedAccount,
    target.version,
    {
      params: {},
      query: {},
      body: {
        auth_config: { id: config },
        connection: {
          user_id: account['user_id'],
          alias: account['alias'],
          state: { authScheme, val: { ...val, ...lifetime, status: 'ACTIVE' } },
        },
        validate_credentials: false,
      },
    },
  )
  if (isServerTrouble(status))
    throw rejected(target.connection.url, createConnectedAccount.path, status, body)
  if (status >= 400) return { action: 'failed', id: null, note: errorText(body).message }
  return { action: 'created', id: (body as { id: string }).id, note: '' }
}
