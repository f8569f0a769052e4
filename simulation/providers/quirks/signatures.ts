import { createHash, createHmac, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { same } from '../credentials.ts'
import type { Incoming } from '../http.ts'
import { checkOAuth1 } from '../oauth1.ts'
import type { Behaviour } from '../behaviour.ts'
import { asked, field, type Quirk } from '../quirk.ts'
import { KEY, account } from './key-account.ts'
import { checkSigV4 } from '../sigv4.ts'

const SKEW_MS = 300_000
const signed = (accepts: NonNullable<NonNullable<Behaviour['me']>['accepts']>): Behaviour => ({
  refresh: null,
  me: { accepts },
})
const API_KEY = { scheme: 'API_KEY' }
const ed = generateKeyPairSync('ed25519')
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const oauth1 = (name: string, title: string, method: string, more: Record<string, unknown> = {}): Quirk => ({
  number: 76,
  name,
  title,
  auth: () => ({
    ...API_KEY,
    fields: {
      omit: ['generic_api_key'],
      connected_account_initiation: [
        'consumer_key',
        'consumer_secret',
        'oauth_token',
        'oauth_token_secret',
      ].map((one) => field(one)),
    },
    apply: { sign: { kind: 'oauth1', method, ...more } },
  }),
  ignoring: [
    { path: 'auth.apply.sign.method', value: method === 'HMAC-SHA1' ? 'PLAINTEXT' : 'HMAC-SHA1' },
    ...(more['realm'] ? ['auth.apply.sign.realm'] : []),
  ],
  connectionInput: account({
    consumer_key: 'ck',
    consumer_secret: 'c&s',
    oauth_token: 'tk',
    oauth_token_secret: 't s',
  }),
  server: signed(({ request, provider }) =>
    checkOAuth1(request, {
      method,
      realm: more['realm'] as string | undefined,
      consumer: ['ck', 'c&s'],
      token: ['tk', 't s'],
      url: `${provider.url}/api/me`,
      now: provider.now(),
      seen: provider.memory,
    }),
  ),
})
const isNow = (ms: number, now: number) => Math.abs(ms - now) < SKEW_MS
const fullPath = (request: Incoming, url: string) => new URL(url).pathname + request.path

/** Requests that are signed. */
export const SIGNATURES: readonly Quirk[] = [
  oauth1('oauth1-sha1', 'Requests are signed with OAuth 1 and HMAC-SHA1', 'HMAC-SHA1'),
  oauth1('oauth1-plaintext', 'Requests are signed with OAuth 1 in plain text', 'PLAINTEXT'),
  oauth1('oauth1-sha256', 'Requests are signed with OAuth 1, HMAC-SHA256 and a realm', 'HMAC-SHA256', {
    realm: '1234_SB1',
  }),
  {
    number: 76,
    name: 'sigv4',
    title: 'Requests are signed with AWS Signature Version 4',
    auth: () => ({
      ...API_KEY,
      ...asked(field('access_key_id')),
      apply: {
        sign: {
          kind: 'aws_sigv4',
          service: 'execute-api',
          region: 'eu-central-1',
          access_key_id: '{access_key_id}',
          secret_access_key: '{generic_api_key}',
        },
      },
    }),
    ignoring: [
      { path: 'auth.apply.sign.region', value: 'us-east-1' },
      { path: 'auth.apply.sign.service', value: 's3' },
      { path: 'auth.apply', value: { headers: { authorization: '{generic_api_key}' } } },
    ],
    connectionInput: account({ access_key_id: 'AKIA1', generic_api_key: KEY }),
    server: signed(({ request, provider }) =>
      checkSigV4(request, {
        accessKeyId: 'AKIA1',
        secret: KEY,
        region: 'eu-central-1',
        service: 'execute-api',
        path: new URL(provider.url).pathname + '/api/me',
        now: provider.now(),
      }),
    ),
  },
  {
    number: 76,
    name: 'hmac-date',
    title: 'Requests are signed: HMAC over date, method, host and path',
    auth: () => ({
      ...API_KEY,
      ...asked(field('integration_key')),
      apply: {
        sign: {
          kind: 'hmac',
          algorithm: 'sha1',
          key: '{generic_api_key}',
          message: '{date}\n{method}\n{host}\n{path}\n{query}',
          encoding: 'hex',
          headers: { date: '{date}', 'x-integration': '{integration_key}', 'x-signature': '{signature}' },
        },
      },
    }),
    ignoring: [
      { path: 'auth.apply.sign.message', value: '{method}\n{host}\n{path}' },
      'auth.apply.sign.headers.x-signature',
      { path: 'auth.apply.sign.algorithm', value: 'sha512' },
      { path: 'auth.apply.sign.encoding', value: 'base64' },
    ],
    connectionInput: account({ generic_api_key: KEY, integration_key: 'DI1' }),
    server: signed(({ request, provider }) => {
      const date = request.headers['date'] ?? ''
      if (!isNow(Date.parse(date), provider.now())) return 'The date is missing or old.'
      const message = [
        date,
        request.method,
        request.headers['host'],
        fullPath(request, provider.url),
        request.url.search.slice(1),
      ].join('\n')
      return same(request.headers['x-signature'] ?? '', createHmac('sha1', KEY).update(message).digest('hex'))
        ? undefined
        : 'The signature is wrong.'
    }),
  },
  {
    number: 76,
    name: 'wsse',
    title: 'Requests carry a WSSE digest in place of the secret',
    auth: () => ({
      scheme: 'BASIC',
      apply: { sign: { kind: 'wsse', username: '{username}', secret: '{password}' } },
    }),
    ignoring: ['auth.apply.sign', { path: 'auth.apply.sign.secret', value: '{username}' }],
    connectionInput: account({ username: 'ada', password: 'secret word' }),
    server: signed(({ request, provider }) =>
      checkWsse(request.headers['x-wsse'] ?? '', provider.memory, provider.now()),
    ),
  },
  {
    number: 76,
    name: 'hashed',
    title: 'Requests carry a hash of id, time and secret',
    auth: () => ({
      ...API_KEY,
      ...asked(field('app_id')),
      apply: {
        sign: {
          kind: 'hash',
          algorithm: 'sha256',
          message: '{app_id}{timestamp}{generic_api_key}',
          encoding: 'hex',
          headers: { 'x-app': '{app_id}', 'x-time': '{timestamp}', 'x-sig': '{signature}' },
        },
      },
    }),
    ignoring: [
      { path: 'auth.apply.sign.message', value: '{generic_api_key}{timestamp}{app_id}' },
      'auth.apply.sign.headers.x-time',
    ],
    connectionInput: account({ generic_api_key: KEY, app_id: 'app-1' }),
    server: signed(({ request: { headers }, provider }) => {
      if (!isNow(Number(headers['x-time']) * 1_000, provider.now())) return 'The time is missing or wrong.'
      return same(
        headers['x-sig'] ?? '',
        createHash('sha256').update(`app-1${headers['x-time']}${KEY}`).digest('hex'),
      )
        ? undefined
        : 'The hash is wrong.'
    }),
  },
  {
    number: 76,
    name: 'message-signature',
    title: 'Requests carry an HTTP message signature (RFC 9421)',
    auth: () => ({
      ...API_KEY,
      apply: {
        sign: {
          kind: 'http_message_signature',
          algorithm: 'ed25519',
          key: '{generic_api_key}',
          key_id: 'key-1',
          components: ['@method', '@target-uri'],
        },
      },
    }),
    ignoring: [
      { path: 'auth.apply.sign.components', value: ['@method'] },
      { path: 'auth.apply.sign.key_id', value: 'key-2' },
    ],
    connectionInput: account({ generic_api_key: pem(ed.privateKey) }),
    server: signed(({ request, provider }) => {
      const [, label, parameters = ''] = /^(\w+)=(\(.*)$/.exec(request.headers['signature-input'] ?? '') ?? []
      if (!parameters.startsWith('("@method" "@target-uri");') || !parameters.includes('keyid="key-1"'))
        return 'Method and address must be signed with key-1.'
      if (!isNow(Number(/created=(\d+)/.exec(parameters)?.[1]) * 1_000, provider.now()))
        return 'The signature is old.'
      const base =
        `"@method": ${request.method}\n"@target-uri": ${request.url.href}\n"@signature-params": ` +
        `${parameters}`
      const signature = new RegExp(`^${label}=:(.+):$`).exec(request.headers['signature'] ?? '')?.[1] ?? ''
      return verify(null, Buffer.from(base), ed.publicKey, Buffer.from(signature, 'base64'))
        ? undefined
        : 'The signature is wrong.'
    }),
  },
]

function checkWsse(header: string, seen: Map<string, unknown>, now: number): string | undefined {
  const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
  if (part('Username') !== 'ada') return 'The user is not known.'
  if (!isNow(Date.parse(part('Created')), now) || seen.has(part('Nonce'))) return 'The header is old.'
  seen.set(part('Nonce'), true)
  return part('PasswordDigest') ===
    createHash('sha1')
      .update(`${part('Nonce')}${part('Created')}secret word`)
      .digest('base64')
    ? undefined
    : 'The digest is wrong.'
}
