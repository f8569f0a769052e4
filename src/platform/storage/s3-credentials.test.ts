import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { temporaryCache } from '#fixtures/files.ts'
import { upstream } from '#fixtures/upstream.ts'
import { spoolDirectory, StorageError } from './index.ts'
import { type S3Credentials, s3Store } from './s3.ts'

/** Variables of the AWS SDK that name other sources of credentials on the machine of a developer. */
const OTHER_SOURCES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_ROLE_ARN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
]

/** Sets the environment of the test: no source of credentials but `variables`. */
function useEnvironment(t: TestContext, variables: Record<string, string>): void {
  const before = { ...process.env }
  t.after(() => {
    process.env = before
  })
  const directory = temporaryCache(t)
  process.env = {
    ...Object.fromEntries(Object.entries(before).filter(([name]) => !OTHER_SOURCES.includes(name))),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: join(directory, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'credentials'),
    ...variables,
  }
}

/** Stores one file and returns how the request was signed. */
async function signatureOf(t: TestContext, credentials?: S3Credentials) {
  const bucket = await upstream(t, () => ({ status: 200 }))
  const store = s3Store({
    bucket: 'files',
    region: 'eu-central-1',
    endpoint: bucket.url,
    credentials,
    pathStyle: true,
  })
  t.after(() => store.close?.())
  const spool = spoolDirectory(temporaryCache(t))
  await store.put('a', await spool.take(Readable.from([Buffer.from('x')], { objectMode: false }), 10))
  const { headers } = bucket.requests[0]!
  return {
    keyId: /Credential=([^/]+)/.exec(String(headers['authorization']))?.[1],
    token: headers['x-amz-security-token'],
  }
}

const TEMPORARY = { AccessKeyId: 'ASIAROLE', Expiration: '2099-01-01T00:00:00Z' }

test('object store credentials: keys and session token of the settings sign the request', async (t) => {
  useEnvironment(t, { AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'other' })
  const credentials = { accessKeyId: 'AKIAOWN', secretAccessKey: 'secret', sessionToken: 'session' }
  assert.deepEqual(await signatureOf(t, credentials), { keyId: 'AKIAOWN', token: 'session' })
  assert.deepEqual(await signatureOf(t, { ...credentials, sessionToken: undefined }), {
    keyId: 'AKIAOWN',
    token: undefined,
  })
})

test('object store credentials: without keys in the settings, the variables of AWS are used', async (t) => {
  useEnvironment(t, { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 'env' })
  assert.deepEqual(await signatureOf(t), { keyId: 'AKIAENV', token: 'env' })
})

test('object store credentials: a profile of the shared credentials file is used', async (t) => {
  const file = join(temporaryCache(t), 'credentials')
  writeFileSync(file, '[storage]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = secret\n')
  useEnvironment(t, { AWS_PROFILE: 'storage', AWS_SHARED_CREDENTIALS_FILE: file })
  assert.deepEqual(await signatureOf(t), { keyId: 'AKIAPROFILE', token: undefined })
})

test('object store credentials: a web identity token is exchanged for a role at the token service', async (t) => {
  const service = await upstream(t, () => ({
    status: 200,
    headers: { 'content-type': 'text/xml' },
    text: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <AssumeRoleWithWebIdentityResult><Credentials>
        <AccessKeyId>${TEMPORARY.AccessKeyId}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
        <SessionToken>web-identity</SessionToken><Expiration>${TEMPORARY.Expiration}</Expiration>
      </Credentials></AssumeRoleWithWebIdentityResult>
    </AssumeRoleWithWebIdentityResponse>`,
  }))
  const file = join(temporaryCache(t), 'token')
  writeFileSync(file, 'identity-token')
  useEnvironment(t, {
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/files',
    AWS_ENDPOINT_URL_STS: service.url,
  })
  assert.deepEqual(await signatureOf(t), { keyId: 'ASIAROLE', token: 'web-identity' })
  const sent = new URLSearchParams(service.requests[0]!.body)
  assert.deepEqual(
    [sent.get('Action'), sent.get('WebIdentityToken'), sent.get('RoleArn')],
    ['AssumeRoleWithWebIdentity', 'identity-token', 'arn:aws:iam::123456789012:role/files'],
  )
})

test('object store credentials: the role of a container is read from its credentials endpoint', async (t) => {
  const endpoint = await upstream(t, () => ({
    status: 200,
    json: { ...TEMPORARY, SecretAccessKey: 'secret', Token: 'container' },
  }))
  useEnvironment(t, {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint.url}/role`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'task-token',
  })
  assert.deepEqual(await signatureOf(t), { keyId: 'ASIAROLE', token: 'container' })
  assert.equal(endpoint.requests[0]!.headers['authorization'], 'task-token')
})

test('object store credentials: when none are found, storing a file fails and says so', async (t) => {
  useEnvironment(t, {})
  await assert.rejects(signatureOf(t), (error: Error) => {
    assert.ok(error instanceof StorageError)
    return /no credentials for the object store were found/.test(error.message)
  })
})
