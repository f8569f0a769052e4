import type { Families } from '../../simulation/providers/families.ts'
import { CLIENT } from '../../simulation/providers/start.ts'
import { postJson } from '../post.ts'

/**
 * Connects accounts of the simulated application `rotating`, whose grant ends when a refresh token is used twice
 * outside of the grace period. Returns their users.
 */
export async function connectRotatingAccounts(
  url: string,
  key: string,
  families: Families,
  count: number,
): Promise<string[]> {
  const server = { url, key }
  const credentials = { client_id: CLIENT.id, client_secret: CLIENT.secret }
  const { auth_config: config } = await postJson<{ auth_config: { id: string } }>(server, '/auth_configs', {
    toolkit: { slug: 'rotating' },
    auth_config: { type: 'use_custom_auth', authScheme: 'OAUTH2', credentials },
  })
  const users = Array.from({ length: count }, (_, n) => `user-${n}`)
  for (const user_id of users) {
    const family = families.found()
    const val = {
      status: 'ACTIVE',
      access_token: families.access(family).token,
      refresh_token: families.refresh(family),
      expires_in: 1,
    }
    await postJson(server, '/connected_accounts', {
      auth_config: { id: config.id },
      connection: { user_id, state: { authScheme: 'OAUTH2', val } },
    })
  }
  return users
}
