import type { Families } from '../../simulation/providers/families.ts'
import { CLIENT } from '../../simulation/providers/start.ts'

/**
 * Connects accounts of the simulated application `rotating`, whose grant ends when a refresh token is used twice outside
 * of the grace period. Returns their users.
 */
export async function connectRotatingAccounts(
  url: string,
  key: string,
  families: Families,
  count: number,
): Promise<string[]> {
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(`${url}/api/v3.1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as { auth_config: { id: string } }
  }
  const credentials = { client_id: CLIENT.id, client_secret: CLIENT.secret }
  const { auth_config: config } = await post('/auth_configs', {
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
    await post('/connected_accounts', {
      auth_config: { id: config.id },
      connection: { user_id, state: { authScheme: 'OAUTH2', val } },
    })
  }
  return users
}
