import type { AccountDeps } from '../deps.ts'
import type { AccountRow } from '../store.ts'

/** Slug and name of the account's toolkit; the slug is the name of a toolkit that no longer exists. */
export const toolkitLabel = ({ catalog }: AccountDeps, row: Pick<AccountRow, 'toolkit_slug'>) => ({
  slug: row.toolkit_slug,
  name: catalog.toolkit(row.toolkit_slug)?.name ?? row.toolkit_slug,
})
