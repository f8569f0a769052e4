import { type Encryptor, EncryptionError } from '../../platform/crypto/index.ts'

/** The permission of an API key to read a channel on one connection. */
export interface ChannelGrant {
  projectId: string
  keyId: string
}

const CONTEXT = 'realtime channel'
const GRANT_MS = 60_000
const GRANT_CHARACTERS_MAX = 512

/** The only channel of a project. */
export const channelOf = (projectId: string): string => `private-${projectId}_triggers`

/**
 * Returns the `auth` of a subscription, which clients pass on as it is: the key of the application and a token, which
 * every process of the server can read. It is valid for one connection and a minute.
 */
export function formatGrant(
  encryptor: Encryptor,
  { projectId, keyId }: ChannelGrant,
  socketId: string,
  now: number,
): string {
  const token = encryptor.encryptWithRing(
    { s: socketId, p: projectId, k: keyId, until: now + GRANT_MS },
    CONTEXT,
  )
  return `${projectId}:${token.toString('base64url')}`
}

/** Returns undefined for an `auth` that this server did not issue for the connection, or that has expired. */
export function readGrant(
  encryptor: Encryptor,
  auth: string,
  socketId: string,
  now: number,
): ChannelGrant | undefined {
  if (auth.length > GRANT_CHARACTERS_MAX) return undefined
  try {
    const token = Buffer.from(auth.slice(auth.indexOf(':') + 1), 'base64url')
    const { s, p, k, until } = encryptor.decrypt<{ s: string; p: string; k: string; until: number }>(
      token,
      CONTEXT,
    )
    return s === socketId && now < until ? { projectId: p, keyId: k } : undefined
  } catch (error) {
    if (error instanceof EncryptionError) return undefined
    throw error
  }
}
