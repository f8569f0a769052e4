import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { exportProjectSecrets } from '../../contract/projects/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import {
  decryptWithPassphrase,
  PASSPHRASE_LENGTH_MIN,
  type PassphraseEnvelope,
  PassphraseError,
} from '../../platform/crypto/passphrase.ts'
import { callApi } from '../api-client/call.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Io } from '../io.ts'
import { rejected, type Server } from './server.ts'

type Values = Readonly<Record<string, unknown>>

/** The secrets of one auth config. */
export interface AuthConfigSecrets {
  credentials: Values
  shared_credentials: Values
}

/** The credentials of one account, and the end of its token in ISO 8601. */
export interface AccountSecrets {
  val: Values
  token_expires_at: string | null
}

/** The secrets of a project, by the ids of the source. */
export interface ProjectSecrets {
  authConfigs: ReadonlyMap<string, AuthConfigSecrets>
  accounts: ReadonlyMap<string, AccountSecrets>
}

export const NO_SECRETS: ProjectSecrets = { authConfigs: new Map(), accounts: new Map() }

/** Reads the first line of a passphrase file. @throws UsageError */
export function readPassphrase(io: Io, file: string): string {
  let content: string
  try {
    content = readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(
      `The passphrase file ${file} cannot be read: ${(error as Error).message}`,
      'Name a file whose first line is the passphrase.',
    )
  }
  const passphrase = content.split(/\r?\n/, 1)[0] ?? ''
  if (passphrase.length >= PASSPHRASE_LENGTH_MIN) return passphrase
  throw new UsageError(
    `The passphrase in ${file} has ${passphrase.length} characters; at least ${PASSPHRASE_LENGTH_MIN} are needed.`,
    'Generate one, for example with `openssl rand -base64 24`.',
  )
}

/** Reads the encrypted pages of the secrets of a project, with a key of its organization. @throws CallError */
export async function readSecrets(
  { io, connection, version }: Server,
  projectId: string,
  passphrase: string,
): Promise<PassphraseEnvelope[]> {
  const pages: PassphraseEnvelope[] = []
  let cursor: string | null = null
  do {
    const { status, body } = await callApi(io, connection, exportProjectSecrets, version, {
      params: { nano_id: projectId },
      query: {},
      body: { passphrase, cursor },
    })
    if (status >= 400) throw rejected(connection.url, exportProjectSecrets.path, status, body)
    const page = body as ReplyOf<typeof exportProjectSecrets>
    if (page.count > 0) pages.push(page.envelope)
    cursor = page.next_cursor
  } while (cursor !== null)
  return pages
}

interface Page {
  auth_configs?: ({ id: string } & AuthConfigSecrets)[]
  connected_accounts?: ({ id: string } & AccountSecrets)[]
}

/** Decrypts the pages of a file. @throws UsageError if the passphrase is another one */
export async function decryptSecrets(
  pages: readonly PassphraseEnvelope[],
  passphrase: string,
): Promise<ProjectSecrets> {
  const authConfigs = new Map<string, AuthConfigSecrets>()
  const accounts = new Map<string, AccountSecrets>()
  for (const envelope of pages) {
    const page = JSON.parse(await decryptPage(envelope, passphrase)) as Page
    for (const { id, ...secrets } of page.auth_configs ?? []) authConfigs.set(id, secrets)
    for (const { id, ...secrets } of page.connected_accounts ?? []) accounts.set(id, secrets)
  }
  return { authConfigs, accounts }
}

async function decryptPage(envelope: PassphraseEnvelope, passphrase: string): Promise<string> {
  try {
    return await decryptWithPassphrase(envelope, passphrase)
  } catch (error) {
    if (!(error instanceof PassphraseError)) throw error
    throw new UsageError(
      'The passphrase is not the one with which this file was made, or the file was changed.',
      'Name the passphrase file of the export.',
    )
  }
}
