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
  async function post<T>(path: string, body: unknown): Promise<T> {
    const reply = await fetch(`${url}/api/v3.1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const {
    auth_config: { id },
  } = await post<{ auth_config: { id: string } }>('/auth_configs', {
    toolkit: { slug: SLUG },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
  })
  await post('/connected_accounts', {
    auth_config: { id },
    connection: {
      user_id: 'u-17',
      state: { authScheme: 'API_KEY', val: { status: 'ACTIVE', generic_api_key: 'key-of-the-run' } },
    },
  })
  for (const webhook_url of receivers)
    await post('/webhook_subscriptions', {
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
        await post(`/trigger_instances/${slug}/upsert`, {
          user_id: 'u-17',
          trigger_config: { feed, ...(slug === POLLED ? { interval: 1 } : {}) },
        })
        feeds[slug === POLLED ? 'polled' : 'pushed'].push(feed)
      }
    }),
  )
  return feeds
}
