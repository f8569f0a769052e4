import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { AuthScheme, Composio } from '@composio/core'
import type { AppOptions } from '../../src/app/create-app.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import { watchOutside } from './outside.ts'

export interface Seen {
  method: string
  path: string
  headers: IncomingHttpHeaders
}

export interface StockSdk extends TestApp {
  composio: Composio
  /** The same package with another key. */
  withKey(apiKey: string): Composio
  baseURL: string
  /** Every request that reached the server, in order. */
  seen: Seen[]
}

export const BRAND = 'composio'
/** Switches off, with options of the package, all its requests to other servers. */
export const QUIET = { allowTracking: false, disableVersionCheck: true }

/**
 * The package as npm has it, in front of the real server on a real port. Fails the test when anything tries
 * to leave the machine.
 */
export async function stockSdk(t: TestContext, options: Partial<AppOptions> = {}): Promise<StockSdk> {
  const outside = watchOutside()
  const app = await testApp(t, { wireBrand: BRAND, ...options })
  const seen: Seen[] = []
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  const { server } = app.app.http
  server.on('request', ({ method = '', url = '', headers }) => {
    seen.push({ method, path: url.split('?')[0] as string, headers })
  })
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const withKey = (apiKey: string) => new Composio({ apiKey, baseURL, ...QUIET })
  t.after(() => {
    outside.end()
    assert.deepEqual(outside.hosts, [], 'connections that left the machine')
  })
  return { ...app, composio: withKey(app.keys.projectApiKey), withKey, baseURL, seen }
}

/** An account of the `parse` toolkit for a user, at the given address. */
export async function connectParse({ composio }: StockSdk, serverUrl: string, userId: string) {
  const authConfig = await composio.authConfigs.create('parse', {
    type: 'use_custom_auth',
    authScheme: 'API_KEY',
    credentials: {},
  })
  const config = AuthScheme.APIKey({
    generic_api_key: 'rest-key-1234',
    ...{ server_url: serverUrl, application_id: 'my-app' },
  })
  return {
    authConfigId: authConfig.id,
    config,
    request: await composio.connectedAccounts.initiate(userId, authConfig.id, { config }),
  }
}
