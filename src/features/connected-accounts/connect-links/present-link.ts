import type { AccountDeps } from '../deps.ts'

/** Presents a connect link as a response. */
export const presentLink = (
  { publicUrl }: AccountDeps,
  accountId: string,
  token: string,
  expiresAt: Date,
) => ({
  link_token: token,
  redirect_url: `${publicUrl}/link/${token}`,
  expires_at: expiresAt.toISOString(),
  connected_account_id: accountId,
})
