import { encryptWithPassphrase, type PassphraseEnvelope } from '../../../platform/crypto/index.ts'

const ITEMS_PER_PAGE = 500

interface Position {
  after: string
  limit: number
}

/** Reads secrets of a project in the order of their ids. */
export type SecretSource = (projectId: string, position: Position) => Promise<readonly { id: string }[]>

/** Secrets of a project by the name of their list, in the order of the export. */
export type SecretSources = ReadonlyMap<string, SecretSource>

/**
 * Returns a page of the secrets of a project, encrypted with a passphrase. A page has objects of one list.
 * @param cursor list and last id of the page before, `<list>:<id>`; undefined for the first page
 */
export async function exportSecrets(
  sources: SecretSources,
  projectId: string,
  passphrase: string,
  cursor: string | undefined,
): Promise<{ envelope: PassphraseEnvelope; count: number; next_cursor: string | null }> {
  const names = [...sources.keys()]
  const [list, after] = (cursor ?? `${names[0]}:`).split(':') as [string, string]
  const read = sources.get(list) as SecretSource
  const items = await read(projectId, { after, limit: ITEMS_PER_PAGE })
  const following = names[names.indexOf(list) + 1]
  const isFull = items.length === ITEMS_PER_PAGE
  return {
    envelope: await encryptWithPassphrase(JSON.stringify({ [list]: items }), passphrase),
    count: items.length,
    next_cursor: isFull ? `${list}:${items.at(-1)!.id}` : following ? `${following}:` : null,
  }
}
