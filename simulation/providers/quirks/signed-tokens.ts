import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Incoming } from '../http.ts'
import type { Behaviour } from '../behaviour.ts'
import { asked, field, type Quirk } from '../quirk.ts'
import { account } from './key-account.ts'
import { checkJwt } from '../jwt.ts'

const signed = (accepts: NonNullable<NonNullable<Behaviour['me']>['accepts']>): Behaviour => ({
  refresh: null,
  me: { accepts },
})
const API_KEY = { scheme: 'API_KEY' }
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (key: typeof ec.privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const fingerprint = `SHA256:${createHash('sha256')
  .update(rsa.publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')}`
const HEX_SECRET = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const bearing = (word: string, { headers }: Incoming) =>
  headers['authorization']?.startsWith(`${word} `) ? headers['authorization'].slice(word.length + 1) : ''

/** Tokens that the client makes and signs itself. */
export const SIGNED_TOKENS: readonly Quirk[] = [
  {
    number: 77,
    name: 'jwt-hex',
    title: 'A short token is made with a secret in hexadecimal, behind a word',
    auth: () => ({
      ...API_KEY,
      apply: {
        mint: {
          jwt: {
            algorithm: 'HS256',
            key: '{generic_api_key|after_colon}',
            key_encoding: 'hex',
            key_id: '{generic_api_key|before_colon}',
            audience: '/admin/',
            lifetime_seconds: 300,
          },
        },
        headers: { authorization: 'Ghost {jwt}' },
      },
    }),
    ignoring: [
      { path: 'auth.apply.mint.jwt.key_encoding', value: 'utf8' },
      'auth.apply.mint.jwt.audience',
      'auth.apply.mint.jwt.key_id',
      { path: 'auth.apply.mint.jwt.lifetime_seconds', value: 3600 },
    ],
    connectionInput: account({ generic_api_key: `id1:${HEX_SECRET}` }),
    server: signed(({ request, provider }) =>
      checkJwt(bearing('Ghost', request), {
        algorithm: 'HS256',
        key: Buffer.from(HEX_SECRET, 'hex'),
        kid: 'id1',
        aud: '/admin/',
        secondsMax: 300,
        now: provider.now(),
      }),
    ),
  },
  {
    number: 77,
    name: 'jwt-text',
    title: 'A short token is made with a secret as text',
    auth: () => ({
      ...API_KEY,
      apply: {
        mint: {
          jwt: {
            algorithm: 'HS256',
            key: '{generic_api_key}',
            key_encoding: 'utf8',
            issuer: 'simulated',
            lifetime_seconds: 60,
          },
        },
        headers: { authorization: 'Bearer {jwt}' },
      },
    }),
    ignoring: [{ path: 'auth.apply.mint.jwt.key_encoding', value: 'hex' }, 'auth.apply.mint.jwt.issuer'],
    connectionInput: account({ generic_api_key: HEX_SECRET }),
    server: signed(({ request, provider }) =>
      checkJwt(bearing('Bearer', request), {
        algorithm: 'HS256',
        key: Buffer.from(HEX_SECRET),
        iss: 'simulated',
        secondsMax: 60,
        now: provider.now(),
      }),
    ),
  },
  {
    number: 77,
    name: 'jwt-es256',
    title: 'A short token is made with a private key, for at most 20 minutes',
    auth: () => ({
      ...API_KEY,
      ...asked(field('issuer_id'), field('key_id')),
      apply: {
        mint: {
          jwt: {
            algorithm: 'ES256',
            key: '{generic_api_key}',
            key_encoding: 'pem',
            key_id: '{key_id}',
            issuer: '{issuer_id}',
            audience: 'appstoreconnect-v1',
            lifetime_seconds: 900,
          },
        },
        headers: { authorization: 'Bearer {jwt}' },
      },
    }),
    ignoring: [
      'auth.apply.mint.jwt.key_id',
      'auth.apply.mint.jwt.issuer',
      { path: 'auth.apply.mint.jwt.lifetime_seconds', value: 3600 },
    ],
    connectionInput: account({ generic_api_key: pem(ec.privateKey), issuer_id: 'iss-1', key_id: 'K1' }),
    server: signed(({ request, provider }) =>
      checkJwt(bearing('Bearer', request), {
        algorithm: 'ES256',
        key: ec.publicKey,
        kid: 'K1',
        iss: 'iss-1',
        aud: 'appstoreconnect-v1',
        secondsMax: 1_200,
        now: provider.now(),
      }),
    ),
  },
  {
    number: 77,
    name: 'jwt-fingerprint',
    title: 'The issuer of a short token is the fingerprint of its key',
    auth: () => ({
      ...API_KEY,
      ...asked(field('login')),
      apply: {
        mint: {
          jwt: {
            algorithm: 'RS256',
            key: '{generic_api_key}',
            key_encoding: 'pem',
            issuer: '{login|upper}.SHA256:{generic_api_key|public_key_sha256}',
            subject: '{login|upper}',
            lifetime_seconds: 3600,
          },
        },
        headers: { authorization: 'Bearer {jwt}', 'x-token-type': 'KEYPAIR_JWT' },
      },
    }),
    ignoring: [
      { path: 'auth.apply.mint.jwt.issuer', value: '{login|upper}' },
      'auth.apply.headers.x-token-type',
    ],
    connectionInput: account({ generic_api_key: pem(rsa.privateKey), login: 'acme.ada' }),
    server: signed(({ request, provider }) =>
      request.headers['x-token-type'] !== 'KEYPAIR_JWT'
        ? 'x-token-type is missing.'
        : checkJwt(bearing('Bearer', request), {
            algorithm: 'RS256',
            key: createPublicKey(rsa.privateKey),
            iss: `ACME.ADA.${fingerprint}`,
            sub: 'ACME.ADA',
            secondsMax: 3_600,
            now: provider.now(),
          }),
    ),
  },
]
