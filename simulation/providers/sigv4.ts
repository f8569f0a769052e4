import { createHash, createHmac } from 'node:crypto'
import { same } from './credentials.ts'
import type { Incoming } from './http.ts'

const SKEW_MS = 300_000

export interface SigV4Demands {
  accessKeyId: string
  secret: string
  region: string
  service: string
  path: string
  now: number
}

/** What is wrong with a request that was signed with AWS Signature Version 4; nothing when it is right. */
export function checkSigV4(
  request: Incoming,
  { accessKeyId, secret, region, service, path, now }: SigV4Demands,
): string | undefined {
  const { authorization = '', 'x-amz-date': date = '' } = request.headers
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!found) return 'The header Authorization is no signature of version 4.'
  const [, credential = '', signedHeaders = '', signature = ''] = found
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  if (credential !== `${accessKeyId}/${scope}`) return `The scope must be ${scope}.`
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(at - now) < SKEW_MS)) return 'The date is missing or old.'
  const names = signedHeaders.split(';')
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'Host and date must be signed.'
  const headers = names.map((name) => `${name}:${(request.headers[name] ?? '').trim()}\n`).join('')
  const query = [...request.query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const canonical = [request.method, path, query, headers, signedHeaders, sha256(request.body)].join('\n')
  const key = ['aws4_request', service, region, date.slice(0, 8)].reduceRight<Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  )
  const expected = createHmac('sha256', key)
    .update(['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n'))
    .digest('hex')
  return same(signature, expected) ? undefined : 'The signature is wrong.'
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
