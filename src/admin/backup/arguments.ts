import { parseArgs } from 'node:util'
import { StartupError } from '../../platform/startup-error.ts'
import { readPassphrase } from './key-envelope.ts'

interface Flags {
  json?: boolean
  check?: boolean
  'without-files'?: boolean
  'passphrase-file'?: string
}

export interface BackupArguments extends Flags {
  file: string
  passphrase: string | undefined
}

/** Reads `<file>` and the flags of `backup` or `restore`. @throws StartupError for any other argument */
export async function readArguments(
  command: 'backup' | 'restore',
  args: readonly string[],
): Promise<BackupArguments> {
  const flag = { type: 'boolean' } as const
  const usage =
    command === 'backup'
      ? 'patchbay backup <file> [--passphrase-file <path>] [--without-files] [--json]'
      : 'patchbay restore <file> [--passphrase-file <path>] [--check] [--json]'
  const options = {
    json: flag,
    'passphrase-file': { type: 'string' },
    [command === 'backup' ? 'without-files' : 'check']: flag,
  } as const
  let parsed: { values: Flags; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new StartupError(`${(error as Error).message}.`, `Write \`${usage}\`.`)
  }
  const [file, ...others] = parsed.positionals
  if (file === undefined || others.length)
    throw new StartupError(`patchbay ${command} needs the name of one file.`, `Write \`${usage}\`.`)
  const passphraseFile = parsed.values['passphrase-file']
  return {
    ...parsed.values,
    file,
    passphrase: passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile),
  }
}
