import type { KmsKey } from './types.ts'

const AWS = /^arn:aws[a-z-]{0,20}:kms:([a-z0-9-]{1,32}):\d{12}:(?:key|alias)\/[\w/-]{1,256}$/
const GCP =
  /^projects\/[\w.:-]{1,64}\/locations\/[\w-]{1,64}\/keyRings\/[\w-]{1,64}\/cryptoKeys\/[\w-]{1,64}$/
const VAULT_PATH = /^\/((?:[\w.-]{1,64}\/){1,8})([\w.-]{1,128})$/

/**
 * Parses the setting KMS_KEY: `aws-kms:<ARN>`, `gcp-kms:<resource name>`, or `vault:<URL>/<mount>/<key>`.
 * @throws Error if it is none of them
 */
export function parseKmsKey(text: string): KmsKey {
  const at = text.indexOf(':')
  const [service, rest] = [text.slice(0, at), text.slice(at + 1)]
  if (service === 'aws-kms') {
    const region = AWS.exec(rest)?.[1]
    if (region !== undefined) return { service, key: rest, region }
  }
  if (service === 'gcp-kms' && GCP.test(rest)) return { service, key: rest }
  if (service === 'vault') {
    const url = URL.parse(rest)
    const [, mount, key] = VAULT_PATH.exec(url?.pathname ?? '') ?? []
    if (url && /^https?:$/.test(url.protocol) && mount && key && !url.search && !url.hash && !url.username)
      return { service, url: url.origin, mount: mount.slice(0, -1), key }
  }
  throw new Error('it names no key of a key management service')
}
