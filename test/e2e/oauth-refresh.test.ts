import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { temporaryCache, temporaryFiles } from '../fixtures/files.ts'
import { createApp } from '../../src/app/create-app.ts'
import { parseKeyRing, createEncryptor } from '../../src/platform/crypto/index.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { clientOf, connectPerson, issuerCatalog, PROFILE } from './issuer.ts'
import { assertRejected, type Project, projectAt, startPlatform } from './platform.ts'

const HOUR_MS = 3_600_000
const CALLERS = 20

async function startIssuer(t: TestContext) {
  const catalog = issuerCatalog()
  const seal = createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))
  const platform = await startPlatform(t, { catalog, encryptor: seal })
  const redirectUris = [`${platform.url}/api/v3/toolkits/auth/callback`]
  const provider = await startOidcProvider({ redirectUris, accessTokenTtlSeconds: 3600 })
  t.after(() => provider.stop())
  const { account, clock } = platform
  const config = await platform.authConfig('issuer', 'OAUTH2', clientOf(provider))
  const profile = (user: string, project: Project = platform) =>
    project.callTool(PROFILE, {}, { user_id: user })

  /** What the provider's token endpoint was asked meanwhile. */
  async function refreshesDuring(
    work: () => Promise<unknown>,
  ): Promise<{ refreshes: number; refused: number }> {
    const before = await provider.stats()
    await work()
    const { refreshes, refused } = await provider.stats()
    return { refreshes: refreshes - before.refreshes, refused: refused - before.refused }
  }
  return { platform, config, profile, refreshesDuring, clock, account, provider, catalog, seal, redirectUris }
}

type Issuer = Awaited<ReturnType<typeof startIssuer>>

test('an access token that expires is refreshed', async (t) => {
  const fixture = await startIssuer(t)

  await t.test(
    'a minute before its end and not earlier, each time with the refresh token of the time before',
    () => checkTime(fixture),
  )

  await t.test('when the provider ended it early, behind one call of a tool', () => checkEarlyEnd(fixture))

  await t.test(`once for ${CALLERS} callers at once`, () => checkConcurrentCallers(fixture))

  await t.test(`once for ${CALLERS} callers whose token the provider rejects`, () =>
    checkRejectedToken(fixture),
  )

  await t.test(`once for ${CALLERS} callers at two servers of one database`, (t) =>
    checkTwoServers(fixture, t),
  )

  await t.test(
    'not once the user has withdrawn the consent: the account is EXPIRED, says why, and asks the provider no more',
    () => checkWithdrawnConsent(fixture),
  )

  await t.test('later, when the provider is down: the call fails and the account stays ACTIVE', () =>
    checkProviderDown(fixture),
  )
})

async function checkTime({
  platform,
  config,
  profile,
  refreshesDuring,
  clock,
  account,
}: Issuer): Promise<void> {
  const id = await connectPerson(platform, config, 'ada')
  const use = async () => assert.equal((await profile('ada')).body.data['sub'], 'ada')
  assert.deepEqual(
    await refreshesDuring(async () => {
      await use()
      clock.advance(HOUR_MS - 120_000)
      await use()
    }),
    { refreshes: 0, refused: 0 },
  )
  for (let hour = 0; hour < 3; hour++) {
    // A rotating provider ends the grant when a used refresh token comes back.
    assert.deepEqual(
      await refreshesDuring(async () => {
        clock.advance(HOUR_MS)
        await use()
        await use()
      }),
      { refreshes: 1, refused: 0 },
    )
  }
  assert.equal((await account(id)).status, 'ACTIVE')
}

async function checkEarlyEnd({
  platform,
  config,
  provider,
  refreshesDuring,
  profile,
  account,
}: Issuer): Promise<void> {
  const id = await connectPerson(platform, config, 'bob')
  await provider.endAccessTokens()
  assert.deepEqual(
    await refreshesDuring(async () => assert.equal((await profile('bob')).body.data['sub'], 'bob')),
    { refreshes: 1, refused: 0 },
  )
  assert.deepEqual(
    await refreshesDuring(async () => assert.equal((await profile('bob')).body.data['sub'], 'bob')),
    { refreshes: 0, refused: 0 },
  )
  assert.equal((await account(id)).status, 'ACTIVE')
}

async function checkConcurrentCallers({
  platform,
  config,
  clock,
  refreshesDuring,
  profile,
}: Issuer): Promise<void> {
  await connectPerson(platform, config, 'carol')
  clock.advance(HOUR_MS)
  assert.deepEqual(
    await refreshesDuring(async () => {
      const replies = await Promise.all(Array.from({ length: CALLERS }, () => profile('carol')))
      assert.deepEqual(
        replies.map(({ body }) => body.data?.['sub']),
        Array(CALLERS).fill('carol'),
      )
    }),
    { refreshes: 1, refused: 0 },
  )
}

async function checkRejectedToken({
  platform,
  config,
  provider,
  refreshesDuring,
  profile,
}: Issuer): Promise<void> {
  await connectPerson(platform, config, 'cora')
  await provider.endAccessTokens()
  assert.deepEqual(
    await refreshesDuring(async () => {
      const replies = await Promise.all(Array.from({ length: CALLERS }, () => profile('cora')))
      assert.deepEqual(
        replies.map(({ body }) => body.data?.['sub']),
        Array(CALLERS).fill('cora'),
      )
    }),
    { refreshes: 1, refused: 0 },
  )
}

async function checkTwoServers(
  { platform, catalog, seal, clock, config, refreshesDuring, profile, account }: Issuer,
  t: TestContext,
): Promise<void> {
  const second = await createApp({
    databaseUrl: platform.databaseUrl,
    databasePoolMax: 4,
    publicUrl: platform.url,
    wireBrand: 'service',
    rateLimitPerMinute: 1_000_000,
    catalog,
    encryptor: seal,
    egress: createEgress({ allow: parseAllowRules('127.0.0.0/8') }),
    files: temporaryFiles(t),
    cacheDir: temporaryCache(t),
    clock,
    log: createLog('silent'),
    version: '0.0.0-test',
  })
  t.after(() => second.close())
  await second.http.listen({ host: '127.0.0.1', port: 0 })
  const other = projectAt(
    `http://127.0.0.1:${(second.http.server.address() as AddressInfo).port}`,
    platform.keys.projectApiKey,
  )
  const id = await connectPerson(platform, config, 'dora')
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(HOUR_MS)
    assert.deepEqual(
      await refreshesDuring(async () => {
        const replies = await Promise.all(
          Array.from({ length: CALLERS }, (_, n) => profile('dora', n % 2 ? other : platform)),
        )
        assert.deepEqual(
          replies.map(({ body }) => body.data?.['sub']),
          Array(CALLERS).fill('dora'),
        )
      }),
      { refreshes: 1, refused: 0 },
    )
  }
  assert.equal((await account(id)).status, 'ACTIVE')
}

async function checkWithdrawnConsent({
  platform,
  config,
  provider,
  refreshesDuring,
  account,
  profile,
}: Issuer): Promise<void> {
  const id = await connectPerson(platform, config, 'erin')
  const callByAccount = () => platform.callTool(PROFILE, {}, { user_id: 'erin', connected_account_id: id })
  assert.equal((await callByAccount()).body.successful, true)
  await provider.revokeEverything()
  assert.deepEqual(
    await refreshesDuring(async () => {
      for (const reply of await Promise.all(Array.from({ length: CALLERS }, callByAccount)))
        assertRejected(reply, 410, 1820, /EXPIRED/)
    }),
    { refreshes: 1, refused: 1 },
  )
  const { status, status_reason } = await account(id)
  assert.equal(status, 'EXPIRED')
  assert.match(status_reason!, /^The provider rejected the token refresh permanently: invalid_grant/)
  assert.deepEqual(
    await refreshesDuring(async () => assertRejected(await callByAccount(), 410, 1820, /invalid_grant/)),
    { refreshes: 0, refused: 0 },
  )
  assertRejected(await profile('erin'), 410, 1820, /EXPIRED/)
}

async function checkProviderDown({ redirectUris, platform, clock, account }: Issuer): Promise<void> {
  const down = await startOidcProvider({ redirectUris })
  const id = await connectPerson(
    platform,
    await platform.authConfig('issuer', 'OAUTH2', clientOf(down)),
    'finn',
  ).finally(() => down.kill())
  clock.advance(HOUR_MS)
  assertRejected(
    await platform.callTool(PROFILE, {}, { user_id: 'finn', connected_account_id: id }),
    502,
    1840,
    /could not be refreshed/,
  )
  assert.deepEqual((({ status, status_reason }) => [status, status_reason])(await account(id)), [
    'ACTIVE',
    null,
  ])
}
