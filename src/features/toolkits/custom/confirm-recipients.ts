import type { Db } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import * as store from './store.ts'

const HOSTS_SHOWN_MAX = 5

/**
 * Rejects an import that would send stored credentials to hosts that did not receive them before, unless it
 * names all connected accounts of the toolkit. Otherwise everyone who may import toolkits could read the keys
 * of all users and the secrets of OAuth apps.
 * @param added hosts that did not receive credentials in the previous version
 * @param confirmed IDs of the accounts, from a key without restrictions
 * @throws ApiError 409; 400 for a confirmation that names other accounts
 */
export async function confirmRecipients(
  tx: Db,
  projectId: string,
  slug: string,
  added: readonly string[],
  confirmed: readonly string[] | undefined,
): Promise<void> {
  if (added.length === 0) return
  const configs = await store.countAuthConfigs(tx, projectId, slug)
  if (configs === 0) return
  const accounts = await store.listAccountIds(tx, projectId, slug)
  const hosts = added.slice(0, HOSTS_SHOWN_MAX).join(', ')
  if (!confirmed)
    throw new ApiError(
      'Toolkit_InUse',
      `This import would send stored credentials to other hosts: ${hosts}. ${slug} has ` +
        `${count(configs, 'auth config')} and ${count(accounts.length, 'connected account')}. Import with another ` +
        'slug, delete the auth configs, or name all connected accounts in confirm_accounts.',
    )
  const missing = accounts.filter((id) => !confirmed.includes(id))
  const other = confirmed.filter((id) => !accounts.includes(id))
  if (missing.length > 0 || other.length > 0)
    throw badRequest(
      'Error in payload.confirm_accounts: must name exactly the connected accounts of ' +
        `${slug}; ${count(missing.length, 'account')} missing, ${count(other.length, 'other ID')} given`,
    )
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
