import { type Io, writeNote } from '../io.ts'
import { details } from '../output/details.ts'
import { printJson } from '../output/reply.ts'
import type { Connection } from '../api-client/connection.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** Prints the keys file of this directory. Keys are masked unless `isRevealed`. */
export function showKeys(
  io: Io,
  { keysFile }: Connection,
  { isRevealed, asJson }: { isRevealed: boolean; asJson: boolean },
): void {
  if (!keysFile)
    throw new UsageError(
      'There is no keys file in this directory or one above it.',
      'Start the server with `patchbay start`, or change to the directory where it was started.',
    )
  const displayed = (key: string | undefined) => (key === undefined ? null : isRevealed ? key : masked(key))
  const view = {
    file: keysFile.path,
    url: keysFile.url,
    project_id: keysFile.project_id ?? null,
    project_api_key: displayed(keysFile.project_api_key),
    organization_api_key: displayed(keysFile.organization_api_key),
  }
  if (asJson) return printJson(io, view)
  io.stdout.write(details(io, view))
  if (!isRevealed) writeNote(io, 'The keys are masked; --reveal prints them.')
}

/** Shows the prefix, which says what the key is, and four characters to distinguish two keys. */
const masked = (key: string): string =>
  key.length < 16 ? '••••••' : `${/^[a-z]+_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`
