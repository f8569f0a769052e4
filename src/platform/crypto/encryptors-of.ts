import { EncryptionError } from './encryption-error.ts'
import type { Encryptor, ProjectEncryptor } from './encryptor.ts'

/**
 * Returns what encrypts values of these projects. Erased ones are missing: what a call of theirs still brings is
 * dropped and does not prevent that of other projects.
 */
export async function encryptorsOf(
  encryptor: Pick<Encryptor, 'ofProject'>,
  projectIds: Iterable<string>,
): Promise<ReadonlyMap<string, ProjectEncryptor>> {
  const found = new Map<string, ProjectEncryptor>()
  for (const id of new Set(projectIds)) {
    try {
      found.set(id, await encryptor.ofProject(id))
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error
    }
  }
  return found
}
