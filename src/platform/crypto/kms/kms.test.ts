import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import aws4 from 'aws4'
import { until } from '#fixtures/until.ts'
import { createEncryptor } from '../encryptor.ts'
import { addWrappedKey, keepFirstKey } from '../key-file-change.ts'
import { loadOrCreateKeyFile } from '../key-file.ts'
import { newKeyLine } from '../wrapped-key-file.ts'
import { awsKms } from './aws-kms.ts'
import { gcpKms } from './gcp-kms.ts'
import { createKeyWrapper, type KeyWrapper, KmsError, parseKmsKey } from './index.ts'

type Json = Record<string, any>
interface Received {
  method: string | undefined
  url: string
  headers: IncomingMessage['headers']
  text: string
}
type Answer = { status?: number; json: unknown }

/** A server of the protocol under test, which records its requests. */
async function startService(t: TestContext, answer: (request: Received) => Answer) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const received = { method: request.method, url: request.url ?? '', headers: request.headers, text }
    requests.push(received)
    const { status = 200, json } = answer(received)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What a service does with its key: AES-256-GCM with associated data. Throws if the data differ. */
function createKey() {
  const key = randomBytes(32)
  return {
    encrypt(plain: string, associated: string): string {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated))
      const body = Buffer.concat([cipher.update(plain, 'base64'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    decrypt(text: string, associated: string): string {
      const bytes = Buffer.from(text, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('base64')
    },
  }
}

/** The response to a request, or the rejection if the ciphertext is not valid for the associated data. */
const orRejection = (work: () => unknown, rejection: unknown): Answer => {
  try {
    return { json: work() }
  } catch {
    return { status: 400, json: rejection }
  }
}

async function startVault(t: TestContext) {
  const key = createKey()
  const service = await startService(t, ({ url, headers, text }) => {
    if (headers['x-vault-token'] !== 'hvs.test')
      return { status: 403, json: { errors: ['permission denied'] } }
    const { plaintext, ciphertext, associated_data: associated } = JSON.parse(text) as Json
    if (url === '/v1/transit/encrypt/patchbay')
      return { json: { data: { ciphertext: `vault:v1:${key.encrypt(plaintext, associated)}` } } }
    return orRejection(
      () => ({ data: { plaintext: key.decrypt(String(ciphertext).slice(9), associated) } }),
      { errors: ['invalid ciphertext'] },
    )
  })
  const wrapperWith = (vaultToken: string | undefined) =>
    createKeyWrapper({
      key: parseKmsKey(`vault:${service.url}/transit/patchbay`),
      endpoint: undefined,
      vaultToken,
      googleCredentialsFile: undefined,
    })
  return { ...service, wrapper: await wrapperWith('hvs.test'), wrapperWith }
}

/** Checks that a service decrypts what it encrypted, for the same id of a key only. */
async function checkWrapper(wrapper: KeyWrapper): Promise<void> {
  const key = randomBytes(32)
  const text = await wrapper.wrap('k1', key)
  assert.match(text, /^[^\s,]+$/)
  assert.ok(!text.includes(key.toString('base64')))
  assert.deepEqual(await wrapper.unwrap('k1', text), key)
  await assert.rejects(wrapper.unwrap('k2', text), KmsError)
}

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-kms-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

test('Vault Transit: a key is encrypted for its id, and errors contain no token', async (t) => {
  const { wrapper, wrapperWith, requests } = await startVault(t)
  await checkWrapper(wrapper)
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['encrypt', 'decrypt', 'decrypt'].map((operation) => `/v1/transit/${operation}/patchbay`),
  )
  await assert.rejects((await wrapperWith('hvs.wrong')).wrap('k1', randomBytes(32)), (error: Error) => {
    assert.match(error.message, /Vault at 127\.0\.0\.1:\d+ returned 403 permission denied/)
    return !error.message.includes('hvs.')
  })
  await assert.rejects(wrapperWith(undefined), /VAULT_TOKEN is not set/)
})

test('AWS KMS: requests have a valid signature, and the id of the key as encryption context', async (t) => {
  const credentials = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret-of-aws',
    sessionToken: 'session',
  }
  const before = { ...process.env }
  t.after(() => {
    process.env = before
  })
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey
  process.env['AWS_SESSION_TOKEN'] = credentials.sessionToken
  const key = createKey()
  const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
  const { url, requests } = await startService(t, ({ headers, text }) => {
    const { KeyId, Plaintext, CiphertextBlob, EncryptionContext } = JSON.parse(text) as Json
    assert.equal(KeyId, arn)
    const context = JSON.stringify(EncryptionContext)
    return headers['x-amz-target'] === 'TrentService.Encrypt'
      ? { json: { CiphertextBlob: key.encrypt(Plaintext, context), KeyId } }
      : orRejection(() => ({ Plaintext: key.decrypt(CiphertextBlob, context), KeyId }), {
          __type: 'InvalidCiphertextException',
        })
  })
  const parsed = parseKmsKey(`aws-kms:${arn}`)
  assert.ok(parsed.service === 'aws-kms' && parsed.region === 'eu-west-1')
  await checkWrapper(awsKms(parsed, url))
  for (const { headers, text } of requests) {
    const expected = aws4.sign(
      {
        ...{
          service: 'kms',
          region: 'eu-west-1',
          method: 'POST',
          path: '/',
          host: headers.host!,
          body: text,
        },
        headers: {
          'Content-Type': headers['content-type'] as string,
          'X-Amz-Target': headers['x-amz-target'] as string,
          'X-Amz-Date': headers['x-amz-date'] as string,
        },
      },
      credentials,
    )
    assert.equal(headers.authorization, (expected.headers as Json)['Authorization'])
  }
})

test('Google Cloud KMS: the token of the machine or of a service account is used', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = createKey()
  const name = 'projects/p/locations/europe/keyRings/r/cryptoKeys/k'
  const { url, requests } = await startService(t, ({ url: path, headers, text }) => {
    if (path === '/token' && headers['metadata-flavor'] === 'Google')
      return { json: { access_token: 'machine' } }
    if (path === '/token') {
      const [head, claims, signature] = new URLSearchParams(text).get('assertion')!.split('.')
      const input = Buffer.from(`${head}.${claims}`)
      assert.ok(verify('RSA-SHA256', input, publicKey, Buffer.from(signature!, 'base64url')))
      return { json: { access_token: 'account' } }
    }
    if (!['Bearer machine', 'Bearer account'].includes(headers.authorization ?? ''))
      return { status: 401, json: { error: { status: 'UNAUTHENTICATED' } } }
    const { plaintext, ciphertext, additionalAuthenticatedData: associated } = JSON.parse(text) as Json
    return path === `/v1/${name}:encrypt`
      ? { json: { name, ciphertext: key.encrypt(plaintext, associated) } }
      : orRejection(() => ({ plaintext: key.decrypt(ciphertext, associated) }), {
          error: { status: 'INVALID_ARGUMENT' },
        })
  })
  const credentialsFile = join(await directory(t), 'account.json')
  await writeFile(
    credentialsFile,
    JSON.stringify({
      client_email: 'patchbay@p.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${url}/token`,
    }),
  )
  const parsed = parseKmsKey(`gcp-kms:${name}`) as { service: 'gcp-kms'; key: string }
  await checkWrapper(
    gcpKms(parsed, { endpoint: url, credentialsFile: undefined, metadataUrl: `${url}/token` }),
  )
  await checkWrapper(gcpKms(parsed, { endpoint: url, credentialsFile }))
  assert.ok(requests.some(({ headers }) => headers.authorization === 'Bearer account'))
})

test('key file: with a service it has no key in clear, and values survive a restart', async (t) => {
  const dataDir = await directory(t)
  const { wrapper, requests } = await startVault(t)
  const sealed = createEncryptor(await loadOrCreateKeyFile(dataDir, wrapper)).encryptWithRing(
    'secret',
    'here',
  )
  const text = await readFile(join(dataDir, 'encryption.keys'), 'utf8')
  assert.match(text, /^k[0-9a-f]{10}:kms:vault:v1:\S+\n$/)
  const before = requests.length
  const { decrypt } = createEncryptor(await loadOrCreateKeyFile(dataDir, wrapper))
  for (let n = 0; n < 100; n++) assert.equal(decrypt(sealed, 'here'), 'secret')
  assert.equal(requests.length - before, 1, 'the service decrypts the key once')
})

test('key file: without the service the start fails with the reason, and the file stays', async (t) => {
  const dataDir = await directory(t)
  const { wrapper, wrapperWith } = await startVault(t)
  await loadOrCreateKeyFile(dataDir, wrapper)
  const text = await readFile(join(dataDir, 'encryption.keys'), 'utf8')
  await assert.rejects(loadOrCreateKeyFile(dataDir, await wrapperWith('hvs.expired')), {
    name: 'StartupError',
    message: /The encryption key k[0-9a-f]{10} cannot be decrypted with the Vault key .* returned 403/,
  })
  await assert.rejects(loadOrCreateKeyFile(dataDir), {
    name: 'StartupError',
    message: /is encrypted by a key management service, and KMS_KEY is not set/,
    fix: /Set KMS_KEY/,
  })
  assert.equal(await readFile(join(dataDir, 'encryption.keys'), 'utf8'), text)
})

test('key file: a plain key is replaced by one that the service encrypts', async (t) => {
  const dataDir = await directory(t)
  const { wrapper } = await startVault(t)
  const old = createEncryptor(await loadOrCreateKeyFile(dataDir)).encryptWithRing('secret', 'here')
  const added = await addWrappedKey(dataDir, wrapper, 0)
  const ring = await loadOrCreateKeyFile(dataDir, wrapper)
  assert.equal(ring.encryptionKeyId, added)
  const next = createEncryptor(ring).reencrypt(old, 'here')
  await keepFirstKey(dataDir)
  assert.match(await readFile(join(dataDir, 'encryption.keys'), 'utf8'), /^k[0-9a-f]{10}:kms:\S+\n$/)
  assert.equal(createEncryptor(await loadOrCreateKeyFile(dataDir, wrapper)).decrypt(next, 'here'), 'secret')
})

test('key file: a running server decrypts a new key in the background', async (t) => {
  const dataDir = await directory(t)
  const { wrapper } = await startVault(t)
  const ring = await loadOrCreateKeyFile(dataDir, wrapper)
  const first = ring.encryptionKeyId
  const file = join(dataDir, 'encryption.keys')
  const line = await newKeyLine(wrapper)
  const id = line.split(':')[0]!
  await writeFile(file, `${await readFile(file, 'utf8')}${line}\n`)
  await until('the second key is known', () => ring.key(id) !== undefined)
  assert.deepEqual([ring.encryptionKeyId, ring.ids], [first, [first, id]])
})

test('key management service: a service that is unreachable or fails is asked three times', async (t) => {
  let failures = 2
  const key = createKey()
  const { url, requests } = await startService(t, ({ text }) => {
    const { plaintext, associated_data: associated } = JSON.parse(text) as Json
    return failures-- > 0
      ? { status: 503, json: { errors: ['Vault is sealed'] } }
      : { json: { data: { ciphertext: key.encrypt(plaintext, associated) } } }
  })
  const wrapper = await createKeyWrapper({
    key: parseKmsKey(`vault:${url}/transit/patchbay`),
    endpoint: undefined,
    vaultToken: 'hvs.test',
    googleCredentialsFile: undefined,
  })
  await wrapper.wrap('k1', randomBytes(32))
  assert.equal(requests.length, 3)
  failures = 3
  await assert.rejects(wrapper.wrap('k1', randomBytes(32)), /returned 503 Vault is sealed/)
  assert.equal(requests.length, 6)
})

test('KMS_KEY: names of other forms are rejected', () => {
  const invalid = [
    'aws-kms:1234abcd',
    'aws-kms:arn:aws:s3:eu-west-1:111122223333:key/1',
    'gcp-kms:projects/p/keyRings/r/cryptoKeys/k',
    'gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k:decrypt',
    'vault:https://vault.example',
    'vault:https://user@vault.example/transit/key',
    'vault:ftp://vault.example/transit/key',
    'vault:https://vault.example/transit/..',
    'azure:key',
    '',
  ]
  for (const text of invalid) assert.throws(() => parseKmsKey(text), Error, text)
  assert.deepEqual(parseKmsKey('vault:https://vault.example:8200/team/transit/key'), {
    service: 'vault',
    url: 'https://vault.example:8200',
    mount: 'team/transit',
    key: 'key',
  })
})
