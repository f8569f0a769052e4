import { postJson } from '../post.ts'
import { POLLED, SLUG, PUSHED } from './toolkit.ts'

export interface Feeds {
  polled: string[]
  pushed: string[]
}

const AT_ONCE = 8

/** One account, a subscription for each receiver, and an instance for each feed. */
export async function prepare(
  url: string,
  key: string,
  count: number,
  receivers: readonly string[],
): Promise<Feeds> {
  const server = { url, key }
  const {
    auth_config: { id },
  } = await postJson<{ auth_config: { id: string } }>(server, '/auth_configs', {
    toolkit: { slug: SLUG },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
  })
  await postJson(server, '/connected_accounts', {
    auth_config: { id },
    connection: {
      user_id: 'u-17',
      state: { authScheme: 'API_KEY', val: { status: 'ACTIVE', generic_api_key: 'key-of-the-run' } },
    },
  })
  for (const webhook_url of receivers)
    await postJson(server, '/webhook_subscriptions', {
      webhook_url,
      enabled_events: ['service.trigger.message'],
      version: 'V3',
    })
  const names = (slug: string, prefix: string) =>
    Array.from({ length: count / 2 }, (_, n) => [slug, `${prefix}${n}`] as const)
  const waiting = [...names(POLLED, 'polled-'), ...names(PUSHED, 'pushed-')]
  const feeds: Feeds = { polled: [], pushed: [] }
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [slug, feed] = next
        await postJson(server, `/trigger_instances/${slug}/upsert`, {
          user_id: 'u-17',
          trigger_config: { feed, ...(slug === POLLED ? { interval: 1 } : {}) },
        })
        feeds[slug === POLLED ? 'polled' : 'pushed'].push(feed)
      }
    }),
  )
  return feeds
}
