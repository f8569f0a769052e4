import { scopeList } from '../../../auth-schemes/index.ts'
import { hasSufficientScopes, type ResolvedTrigger } from '../../../catalog/index.ts'
import { checkShared, type EngineAccount, type EngineAccounts } from '../../../engine/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'

/** The account of the trigger, usable for it. @throws ApiError */
export async function findUsableAccount(
  accounts: Pick<EngineAccounts, 'findById' | 'findForUser'>,
  projectId: string,
  found: ResolvedTrigger,
  { accountId, userId }: { accountId: string | undefined; userId: string | undefined },
): Promise<EngineAccount> {
  const { toolkit } = found
  if (accountId === undefined && userId === undefined)
    throw badRequest('Error in payload.connected_account_id: is required, or the user_id of an account')
  const account =
    accountId !== undefined
      ? await accounts.findById(projectId, accountId)
      : await accounts.findForUser(projectId, userId!, toolkit.slug)
  if (!account && accountId !== undefined)
    throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${accountId}" not found`)
  if (!account)
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `The user ${userId} has no active connected account of ${toolkit.name}.`,
    )
  if (userId !== undefined && userId !== account.userId) checkShared(account, userId)
  if (account.toolkit !== toolkit.slug)
    throw badRequest(
      `Error in payload.connected_account_id: belongs to ${account.toolkit}, the trigger to ${toolkit.slug}`,
    )
  checkScopes(found, account)
  return account
}

function checkScopes({ trigger }: ResolvedTrigger, account: EngineAccount): void {
  const granted = scopeList(account.context?.credentials['scope'], undefined)
  if (granted.length === 0 || hasSufficientScopes(trigger, new Set(granted))) return
  const required = (trigger.scopeRequirements?.all_of ?? [])
    .map((scope) => (typeof scope === 'string' ? scope : `one of ${scope.any_of.join(', ')}`))
    .join('; ')
  throw new ApiError(
    'TriggerInstance_ConnectionNotUsable',
    `${trigger.slug} needs scopes that the connected account ${account.id} does not have: ${required}. ` +
      `It has ${granted.join(', ')}.`,
  )
}
