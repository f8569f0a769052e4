import { listOf } from '../../src/catalog/importers/tools/paging.ts'
import type { Imported } from '../../src/catalog/importers/index.ts'
import type { AuthSchemeManifest } from '../../src/catalog/manifest/format/index.ts'

/** What an import recognized in a document, apart from its operations. */
export interface Recognized {
  tools: number
  /** Tools that read a list, and those of them whose pages are declared. */
  lists: number
  pagedLists: number
  /** Whether users enter credentials, and by which request these can be tried. */
  asksForCredentials: boolean
  validatedBy: 'owner' | 'list' | undefined
  /** Tools with a declared way to sign in, or declared to need none. */
  signIns: number
}

const ENTERED: readonly string[] = ['API_KEY', 'BEARER_TOKEN', 'BASIC']

export function recognizedIn({ toolkit, tools }: Imported): Recognized {
  const schemes = toolkit.auth as readonly AuthSchemeManifest[]
  const lists = tools.filter(
    ({ effect, output }) =>
      effect === 'read' && listOf((output ?? {}) as Record<string, unknown>) !== undefined,
  )
  const validation = schemes.find(({ validate }) => validate)?.validate
  return {
    tools: tools.length,
    lists: lists.length,
    pagedLists: lists.filter(({ pagination }) => pagination).length,
    asksForCredentials: schemes.some(({ scheme }) => ENTERED.includes(scheme)),
    validatedBy: validation && (validation.accepts_403 ? 'list' : 'owner'),
    // Without any declared scheme the import assumes that calls need no credentials.
    signIns: schemes.some(({ scheme }) => scheme !== 'NO_AUTH') ? tools.length : 0,
  }
}
