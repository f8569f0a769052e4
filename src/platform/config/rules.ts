import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseKeyRing, type KeyRing } from '../crypto/key-ring.ts'
import { type KmsKey, parseKmsKey } from '../crypto/kms/index.ts'
import { parseAllowRules, type AllowRule } from '../egress/allow-rules.ts'

/**
 * A rule for a value: a description and a reader. `read` throws if the text breaks the rule. The message of
 * the error, if it has one, is shown instead of `must`, so it never contains a secret.
 */
export interface Rule<T> {
  must: string
  read(text: string, cwd: string): T
}

/** Throws the error of a text that breaks a rule, without a message, so that `must` is shown. */
export function fail(): never {
  throw new Error()
}

/** Returns the entries of a comma-separated list. Empty ones are left out. */
export const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** A comma-separated list of entries that are read in lower case and match the pattern. */
export const lowerCaseList = (pattern: RegExp, must: string): Rule<readonly string[]> => ({
  must,
  read(text) {
    const entries = entriesOf(text.toLowerCase())
    return entries.every((entry) => pattern.test(entry)) ? entries : fail()
  },
})

export function wholeNumber(from: number, to: number): Rule<number> {
  return {
    must: `a whole number from ${from} to ${to}`,
    read: (text) =>
      /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : fail(),
  }
}

/** The number of processes. `auto` is one for each processor core. */
export const processCount: Rule<number> = {
  must: '`auto`, or a whole number from 1 to 64',
  read(text) {
    const count = text === 'auto' ? Math.min(availableParallelism(), 64) : Number(text)
    return /^(auto|\d{1,2})$/.test(text) && count >= 1 && count <= 64 ? count : fail()
  },
}

/** A comma-separated list of at most `entries` durations from 0 to `max` seconds. */
export function secondsList(entries: number, max: number): Rule<readonly number[]> {
  return {
    must: `a comma-separated list of at most ${entries} numbers of seconds, each from 0 to ${max}`,
    read(text) {
      const list = text.split(',').map((entry) => entry.trim())
      return list.length <= entries &&
        list.every((entry) => /^\d{1,6}(\.\d{1,3})?$/.test(entry) && Number(entry) <= max)
        ? list.map(Number)
        : fail()
    },
  }
}

export function oneOf<const T extends string>(...values: T[]): Rule<T> {
  return {
    must: `one of ${values.join(', ')}`,
    read: (text) => values.find((value) => value === text) ?? fail(),
  }
}

export function matching(pattern: RegExp, must: string): Rule<string> {
  return { must, read: (text) => (pattern.test(text) ? text : fail()) }
}

export const directory: Rule<string> = {
  must: 'a path; relative paths start in the working directory',
  read: (text, cwd) => resolve(cwd, text),
}

export const listenHost: Rule<string> = {
  must: 'an IP address or a host name of this machine, without a port',
  read: (text) =>
    isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : fail(),
}

/** The value has no slash at the end, so that paths can be appended. */
export const publicUrl: Rule<string> = {
  must: 'an http or https URL: origin and optional path, without credentials, query or fragment',
  read(text) {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(text)) fail()
    return url.origin + url.pathname.replace(/\/+$/, '')
  },
}

export const databaseUrl: Rule<string> = {
  must: 'a URL that starts with postgres:// or postgresql://, with special characters of the password percent-encoded',
  read: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : fail()),
}

export const mailServerUrl: Rule<string> = {
  must: 'a URL that starts with smtp:// or smtps://, with special characters of the password percent-encoded',
  read: (text) => (/^smtps?:\/\/./.test(text) && URL.canParse(text) ? text : fail()),
}

export const keyRing: Rule<KeyRing> = {
  must: 'a comma-separated list of `id:key`, each key being 32 bytes in base64',
  read: parseKeyRing,
}

export const kmsKey: Rule<KmsKey> = {
  must: '`aws-kms:<ARN of a key>`, `gcp-kms:projects/…/cryptoKeys/<key>` or `vault:<URL>/<mount>/<key>`',
  read: parseKmsKey,
}

export const httpOrigin: Rule<string> = {
  must: 'an http or https URL without a path',
  read(text) {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')
      ? url.origin
      : fail()
  },
}

export const allowList: Rule<AllowRule[]> = {
  must:
    'a comma-separated list of IP addresses, CIDR ranges and host names, each with an optional `:port`; ' +
    'IPv6 in brackets when a port follows',
  read: parseAllowRules,
}

/** The form that Fastify expects of `trustProxy`. */
export const proxyList: Rule<readonly string[]> = {
  must: 'a comma-separated list of IP addresses and CIDR ranges; 0.0.0.0/0 and ::/0 would trust every client',
  read(text) {
    const entries = entriesOf(text)
    return entries.every(isProxyRange) ? entries : fail()
  },
}

function isProxyRange(entry: string): boolean {
  const [ip = '', prefix, ...rest] = entry.split('/')
  const version = isIP(ip)
  if (version === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128)
}

/** Names, each with an optional `*` at the end. */
export const headerNames = lowerCaseList(
  /^[a-z0-9][a-z0-9-]{1,63}\*?$/,
  'a comma-separated list of header names, each with an optional * at the end',
)

/** Slugs of toolkits. */
export const nameList: Rule<readonly string[]> = {
  must: 'a comma-separated list of at most 100 slugs of toolkits',
  read(text) {
    const names = text === '' ? [] : text.split(',').map((name) => name.trim())
    return names.length <= 100 && names.every((name) => /^_?[a-z0-9][a-z0-9_]{0,39}$/.test(name))
      ? names
      : fail()
  },
}

/** Makes a value optional. */
export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return { must: rule.must, read: (text, cwd) => (text === '' ? undefined : rule.read(text, cwd)) }
}
