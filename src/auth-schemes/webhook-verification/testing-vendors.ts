import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { VerifyManifest } from '../../catalog/index.ts'

/** How one vendor proves its deliveries: the manifest, and a delivery as its documentation describes it, made without any code of ours. */
export interface Vendor {
  name: string
  verify: VerifyManifest
  names: Record<string, string>
  method?: string
  url?: string
  headers: Record<string, string>
  body: string
}

export const NOW_SECONDS = 1_750_000_000
const AT = String(NOW_SECONDS)
const URL_OF = 'https://int.example/api/v3.1/webhook_ingress/shop/we_1/trigger_event'
const BODY = '{"type":"thing.created","id":"e-1","note":"ü – 漢 \\u0041"}\n'
const SECRET = 'a-secret-of-the-vendor'
type Hash = 'sha1' | 'sha256' | 'sha512'
type Encoding = 'hex' | 'base64'
const mac = (
  message: string,
  {
    hash = 'sha256',
    encoding = 'hex',
    key = SECRET as string | Buffer,
  }: { hash?: Hash; encoding?: Encoding; key?: string | Buffer } = {},
) => createHmac(hash, key).update(message).digest(encoding)

const ed = generateKeyPairSync('ed25519')
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const der = (key: typeof ec.publicKey) => key.export({ type: 'spki', format: 'der' })

/** Bodies, secrets and signatures that the vendors themselves publish. */
export const PUBLISHED: readonly (Vendor & { at?: number })[] = [
  {
    name: 'GitHub',
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      key: '{webhook_secret}',
      signature: { at: 'headers.x-hub-signature-256', prefix: 'sha256=' },
    },
    names: { webhook_secret: "It's a Secret to Everybody" },
    body: 'Hello, World!',
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  },
  {
    name: 'Slack',
    at: 1_531_420_618,
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      key: '{signing_secret}',
      message: 'v0:{timestamp}:{body}',
      signature: { at: 'headers.x-slack-signature', prefix: 'v0=' },
      timestamp: { at: 'headers.x-slack-request-timestamp' },
    },
    names: { signing_secret: '8f742231b10e8888abcd99yyyzzz85a5' },
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  },
  {
    name: 'Standard Webhooks',
    at: 1_614_265_330,
    verify: {
      kind: 'hmac',
      algorithm: 'sha256',
      key: '{signing_secret}',
      key_prefix: 'whsec_',
      key_encoding: 'base64',
      message: '{id}.{timestamp}.{body}',
      values: { id: 'headers.webhook-id' },
      signature: { at: 'headers.webhook-signature', separator: ' ', prefix: 'v1,', encoding: 'base64' },
      timestamp: { at: 'headers.webhook-timestamp' },
    },
    names: { signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1a,another v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  },
  {
    name: 'Twilio',
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    method: 'POST',
    verify: {
      kind: 'hmac',
      algorithm: 'sha1',
      key: '{auth_token}',
      message: '{url}{sorted_form}',
      signature: { at: 'headers.x-twilio-signature', encoding: 'base64' },
    },
    names: { auth_token: '12345' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    },
    body: 'Digits=1234&CallSid=CA1234567890ABCDE&To=%2B18005551212&Caller=%2B14158675309&From=%2B14158675309',
  },
]

const stripe = (signature: string): Vendor => ({
  name: 'Stripe',
  verify: {
    kind: 'hmac',
    algorithm: 'sha256',
    key: '{signing_secret}',
    message: '{timestamp}.{body}',
    signature: { at: 'headers.stripe-signature', separator: ',', prefix: 'v1=' },
    timestamp: { at: 'headers.stripe-signature', separator: ',', prefix: 't=' },
  },
  names: { signing_secret: SECRET },
  headers: { 'stripe-signature': signature },
  body: BODY,
})
const hmac = (
  name: string,
  verify: Omit<Extract<VerifyManifest, { kind: 'hmac' }>, 'kind' | 'key'>,
  headers: Record<string, string>,
  more: Partial<Vendor> = {},
): Vendor => ({
  name,
  verify: { kind: 'hmac', key: '{signing_secret}', ...verify },
  names: { signing_secret: SECRET },
  headers,
  body: BODY,
  ...more,
})

const ISO = new Date(NOW_SECONDS * 1_000).toISOString()
const LINEAR = JSON.stringify({ action: 'create', webhookTimestamp: NOW_SECONDS * 1_000 })
const MAILGUN = JSON.stringify({
  signature: { timestamp: AT, token: 'tok-1', signature: mac(`${AT}tok-1`) },
  'event-data': {},
})

/** The other ways that vendors document. */
export const DOCUMENTED: readonly Vendor[] = [
  stripe(`t=${AT},v0=aa,v1=${'0'.repeat(64)},v1=${mac(`${AT}.${BODY}`)}`),
  hmac(
    'Shopify',
    { algorithm: 'sha256', signature: { at: 'headers.x-shopify-hmac-sha256', encoding: 'base64' } },
    { 'x-shopify-hmac-sha256': mac(BODY, { encoding: 'base64' }) },
  ),
  hmac(
    'Linear',
    {
      algorithm: 'sha256',
      signature: { at: 'headers.linear-signature' },
      timestamp: { at: 'body.webhookTimestamp', unit: 'timestamp_ms', tolerance_seconds: 60 },
    },
    { 'linear-signature': mac(LINEAR) },
    { body: LINEAR },
  ),
  hmac(
    'Notion',
    { algorithm: 'sha256', signature: { at: 'headers.x-notion-signature', prefix: 'sha256=' } },
    { 'x-notion-signature': `sha256=${mac(BODY)}` },
  ),
  hmac(
    'HubSpot v3',
    {
      algorithm: 'sha256',
      message: '{method}{url}{body}{timestamp}',
      signature: { at: 'headers.x-hubspot-signature-v3', encoding: 'base64' },
      timestamp: { at: 'headers.x-hubspot-request-timestamp', unit: 'timestamp_ms' },
    },
    {
      'x-hubspot-signature-v3': mac(`POST${URL_OF}${BODY}${AT}000`, { encoding: 'base64' }),
      'x-hubspot-request-timestamp': `${AT}000`,
    },
  ),
  hmac(
    'Zendesk',
    {
      algorithm: 'sha256',
      message: '{timestamp}{body}',
      signature: { at: 'headers.x-zendesk-webhook-signature', encoding: 'base64' },
      timestamp: { at: 'headers.x-zendesk-webhook-signature-timestamp', unit: 'date' },
    },
    {
      'x-zendesk-webhook-signature': mac(ISO + BODY, { encoding: 'base64' }),
      'x-zendesk-webhook-signature-timestamp': ISO,
    },
  ),
  hmac(
    'Trello',
    {
      algorithm: 'sha1',
      message: '{body}{url}',
      signature: { at: 'headers.x-trello-webhook', encoding: 'base64' },
    },
    { 'x-trello-webhook': mac(BODY + URL_OF, { hash: 'sha1', encoding: 'base64' }) },
  ),
  hmac(
    'Asana',
    { algorithm: 'sha256', signature: { at: 'headers.x-hook-signature' } },
    { 'x-hook-signature': mac(BODY).toUpperCase() },
  ),
  hmac(
    'Jira',
    { algorithm: 'sha256', signature: { at: 'headers.x-hub-signature', prefix: 'sha256=' } },
    { 'x-hub-signature': `sha256=${mac(BODY)}` },
  ),
  hmac(
    'Typeform',
    {
      algorithm: 'sha256',
      signature: { at: 'headers.typeform-signature', prefix: 'sha256=', encoding: 'base64' },
    },
    { 'typeform-signature': `sha256=${mac(BODY, { encoding: 'base64' })}` },
  ),
  hmac(
    'Intercom',
    { algorithm: 'sha1', signature: { at: 'headers.x-hub-signature', prefix: 'sha1=' } },
    { 'x-hub-signature': `sha1=${mac(BODY, { hash: 'sha1' })}` },
  ),
  hmac(
    'Square',
    {
      algorithm: 'sha256',
      message: '{url}{body}',
      signature: { at: 'headers.x-square-hmacsha256-signature', encoding: 'base64' },
    },
    { 'x-square-hmacsha256-signature': mac(URL_OF + BODY, { encoding: 'base64' }) },
  ),
  hmac(
    'Paddle',
    {
      algorithm: 'sha256',
      message: '{timestamp}:{body}',
      signature: { at: 'headers.paddle-signature', separator: ';', prefix: 'h1=' },
      timestamp: { at: 'headers.paddle-signature', separator: ';', prefix: 'ts=' },
    },
    { 'paddle-signature': `ts=${AT};h1=${mac(`${AT}:${BODY}`)}` },
  ),
  hmac(
    'Mailgun',
    {
      algorithm: 'sha256',
      message: '{timestamp}{token}',
      values: { token: 'body.signature.token' },
      signature: { at: 'body.signature.signature' },
      timestamp: { at: 'body.signature.timestamp' },
    },
    {},
    { body: MAILGUN },
  ),
  hmac(
    'Airtable',
    {
      algorithm: 'sha256',
      key_encoding: 'base64',
      signature: { at: 'headers.x-airtable-content-mac', prefix: 'hmac-sha256=' },
    },
    { 'x-airtable-content-mac': `hmac-sha256=${mac(BODY, { key: Buffer.from(SECRET) })}` },
    { names: { signing_secret: Buffer.from(SECRET).toString('base64') } },
  ),
  hmac(
    'a key that is a digest of the token',
    { algorithm: 'sha512', signature: { at: 'headers.x-sig' } },
    { 'x-sig': mac(BODY, { hash: 'sha512', key: createHash('sha256').update(SECRET).digest('hex') }) },
    {
      verify: {
        kind: 'hmac',
        algorithm: 'sha512',
        key: '{signing_secret|sha256}',
        signature: { at: 'headers.x-sig' },
      },
    },
  ),
  {
    name: 'Discord',
    names: { public_key: der(ed.publicKey).subarray(-32).toString('hex') },
    body: BODY,
    verify: {
      kind: 'public_key',
      algorithm: 'ed25519',
      key: '{public_key}',
      key_encoding: 'hex',
      message: '{timestamp}{body}',
      signature: { at: 'headers.x-signature-ed25519' },
      timestamp: { at: 'headers.x-signature-timestamp' },
    },
    headers: {
      'x-signature-ed25519': sign(null, Buffer.from(AT + BODY), ed.privateKey).toString('hex'),
      'x-signature-timestamp': AT,
    },
  },
  {
    name: 'SendGrid',
    names: { public_key: der(ec.publicKey).toString('base64') },
    body: BODY,
    verify: {
      kind: 'public_key',
      algorithm: 'ecdsa_sha256',
      key: '{public_key}',
      key_encoding: 'base64',
      message: '{timestamp}{body}',
      signature: { at: 'headers.x-twilio-email-event-webhook-signature', encoding: 'base64' },
      timestamp: { at: 'headers.x-twilio-email-event-webhook-timestamp' },
    },
    headers: {
      'x-twilio-email-event-webhook-signature': sign(
        'sha256',
        Buffer.from(AT + BODY),
        ec.privateKey,
      ).toString('base64'),
      'x-twilio-email-event-webhook-timestamp': AT,
    },
  },
  {
    name: 'Wise',
    names: { public_key: rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string },
    body: BODY,
    verify: {
      kind: 'public_key',
      algorithm: 'rsa_sha256',
      key: '{public_key}',
      signature: { at: 'headers.x-signature-sha256', encoding: 'base64' },
    },
    headers: { 'x-signature-sha256': sign('sha256', Buffer.from(BODY), rsa.privateKey).toString('base64') },
  },
  {
    name: 'GitLab',
    verify: { kind: 'token', at: 'headers.x-gitlab-token', equals: '{webhook_secret}' },
    names: { webhook_secret: SECRET },
    headers: { 'x-gitlab-token': SECRET },
    body: BODY,
  },
  {
    name: 'Google channels',
    verify: { kind: 'token', at: 'headers.x-goog-channel-token', equals: '{webhook_secret}' },
    names: { webhook_secret: SECRET },
    headers: { 'x-goog-channel-token': SECRET, 'x-goog-resource-state': 'exists' },
    body: '',
  },
  {
    name: 'Telegram',
    verify: { kind: 'token', at: 'headers.x-telegram-bot-api-secret-token', equals: '{webhook_secret}' },
    names: { webhook_secret: SECRET },
    headers: { 'x-telegram-bot-api-secret-token': SECRET },
    body: BODY,
  },
  {
    name: 'Microsoft Graph',
    verify: { kind: 'token', at: 'item.clientState', equals: '{webhook_secret}', each: true },
    names: { webhook_secret: SECRET },
    headers: {},
    body: JSON.stringify({
      value: [
        { clientState: SECRET, id: 1 },
        { clientState: SECRET, id: 2 },
      ],
    }),
  },
  {
    name: 'Basic authentication',
    verify: {
      kind: 'token',
      at: 'headers.authorization',
      prefix: 'Basic ',
      equals: 'patchbay:{webhook_secret}',
      encoding: 'base64',
    },
    names: { webhook_secret: SECRET },
    headers: { authorization: `Basic ${Buffer.from(`patchbay:${SECRET}`).toString('base64')}` },
    body: BODY,
  },
]
