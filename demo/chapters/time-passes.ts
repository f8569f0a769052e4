import { type Chapter, expect } from '../tour.ts'

const AGENTS = 20
const TOOL = '/api/v3.1/tools/execute/PEOPLE_GET_PROFILE'

export const timePasses: Chapter = async ({ stage, api, provider, accessTokenTtlSeconds }) => {
  await stage.chapter('Time passes')
  await stage.say(
    `Access tokens end: after an hour elsewhere, after ${accessTokenTtlSeconds} seconds here. The ` +
      `refresh token works once, for a new pair. So if ${AGENTS} agents call in the moment after the end, ` +
      'only one of them may ask for it.',
  )
  await stage.countdown(accessTokenTtlSeconds, 'The access token ends in', 'The access token has ended.')
  const before = await provider.stats()
  const startedAt = performance.now()
  await stage.request('POST', '', `${TOOL}  × ${AGENTS} at once`, { user_id: 'alice', arguments: {} })
  const replies = await Promise.all(
    Array.from({ length: AGENTS }, () => api.quietly('POST', TOOL, { user_id: 'alice', arguments: {} })),
  )
  const ms = performance.now() - startedAt
  const [good, refreshes] = [
    replies.filter(({ body }) => body.successful).length,
    (await provider.stats()).refreshes - before.refreshes,
  ]
  expect(good === AGENTS && refreshes === 1, 'one refresh serves all callers', { good, refreshes })
  await stage.reply(200, ms, { successful_calls: good, refreshes_that_the_provider_counted: refreshes })

  await stage.say(
    'Now Alice changes her mind. She withdraws her consent at the provider, and Patchbay does not know yet.',
  )
  await provider.revokeEverything()
  await stage.act('alice', 'withdraws her consent at the provider')
  const [account] = (
    await api.quietly('GET', '/api/v3.1/connected_accounts?user_ids=alice&toolkit_slugs=people')
  ).body.items
  await stage.say(
    'The next call meets a dead grant. The agent reads what happened and what to do, instead of a stack trace.',
  )
  const refused = await api.execute('PEOPLE_GET_PROFILE', 'alice', {}, { connected_account_id: account.id })
  expect(
    refused.status === 410 && refused.body.error.code === 1820,
    'a withdrawn consent is reported',
    refused.body,
  )
  const expired = await api.send('GET', `/api/v3.1/connected_accounts/${account.id}`, {
    show: ({ status, status_reason }) => ({ status, status_reason }),
  })
  expect(expired.body.status === 'EXPIRED', 'the account is EXPIRED', expired.body)
}
