import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Identity of code inside of its user namespace. */
const USER_ID = '1000'
const PROGRAMS = '/run/workbench'
const SHARED_MEMORY_BYTES = 64_000_000

/** Folders with programs and libraries. /usr/src and other data of the machine are not part of the sandbox. */
const FOLDERS = [
  '/usr/bin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/share',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/local/share',
]
/** Links into /usr, or folders on older systems. */
const ROOT_FOLDERS = ['/bin', '/lib', '/lib32', '/lib64']
/** Files that programs need. Accounts, keys and settings of the machine are not among them. */
const SETTINGS = [
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/matplotlibrc',
  '/etc/mime.types',
]

/** A file of the sandbox, whose content bubblewrap reads from a file descriptor. */
export interface ProvidedFile {
  readonly name: string
  readonly descriptor: number
}

/** Builds the arguments of bubblewrap: what the sandbox consists of. Nothing of the machine is writable. */
export function bubblewrapArguments(options: {
  readonly files: readonly ProvidedFile[]
  readonly accountsDescriptor: number
  readonly seccompDescriptor: number
  readonly diskBytesMax: number
}): string[] {
  const disk = String(Math.floor(options.diskBytesMax))
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    ...['--uid', USER_ID, '--gid', USER_ID, '--hostname', 'sandbox'],
    ...['--cap-drop', 'ALL', '--clearenv', '--setenv', 'HOME', '/home/user'],
    ...FOLDERS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...ROOT_FOLDERS.flatMap(rootFolder),
    ...SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind-data', String(options.accountsDescriptor), '/etc/passwd'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', disk, '--tmpfs', '/home/user', '--dir', '/home/user/.tmp'],
    ...['--symlink', '/home/user/.tmp', '/tmp'],
    ...['--size', disk, '--tmpfs', '/mnt/files'],
    ...options.files.flatMap(({ name, descriptor }) => [
      '--ro-bind-data',
      String(descriptor),
      join(PROGRAMS, name),
    ]),
    ...['--remount-ro', '/', '--chdir', '/home/user'],
    ...['--seccomp', String(options.seccompDescriptor)],
  ]
}

function rootFolder(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}
