import { type Encryptor, EncryptionError } from '../../../platform/crypto/index.ts'

/** What is longer is none of ours. */
const PASS_MAX = 256
const CONTEXT = 'approval link'
interface Pass {
  p: string
  a: string
}

/** The address of the page on which a person decides. It carries its own permission, sealed with the key ring, and is good as long as the approval waits. */
export const linkTo = (encryptor: Encryptor, publicUrl: string, projectId: string, id: string): string =>
  `${publicUrl}/approve/${encryptor.encrypt({ p: projectId, a: id } satisfies Pass, CONTEXT).toString('base64url')}`

/** Undefined: this server gave out no such address. */
export function readLink(encryptor: Encryptor, pass: string): { projectId: string; id: string } | undefined {
  if (pass.length > PASS_MAX) return undefined
  try {
    const { p, a } = encryptor.decrypt<Pass>(Buffer.from(pass, 'base64url'), CONTEXT)
    return { projectId: p, id: a }
  } catch (error) {
    if (error instanceof EncryptionError) return undefined
    throw error
  }
}
