import { spawnSync } from 'node:child_process'
import { StartupError } from '../../src/platform/startup-error.ts'
import {
  type BubblewrapDriverOptions,
  createBubblewrapDriver,
  type SandboxDriver,
} from '../../src/sandbox/index.ts'

const OFF = 'BUBBLEWRAP_TESTS'
const PACKAGES = ['bubblewrap', 'python3']
const LOCK = ['-o', 'DPkg::Lock::Timeout=300']
const INSTALL_MS = 600_000
const PROBE_MS = 10_000
/** The account `nobody`. */
const NOBODY = 65_534

/**
 * Why the tests of bubblewrap do not run here; undefined if they do. They are left out only on other systems than
 * Linux, where the kernel or a container denies user namespaces, and where an administrator has switched them off.
 */
export function bubblewrapSkipReason(): string | undefined {
  if (process.platform !== 'linux') return `bubblewrap needs Linux; this is ${process.platform}`
  if (process.env[OFF] === 'off') return `${OFF} is off`
  const denied = namespacesDenied()
  if (denied !== undefined) console.error(`The tests of the bubblewrap driver do not run: ${denied}`)
  return denied
}

/** Tries to create a user namespace as the account that sandboxes have. */
function namespacesDenied(): string | undefined {
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const { status, stderr, error } = spawnSync('unshare', ['--user', 'true'], {
    ...account,
    timeout: PROBE_MS,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  return `this machine denies user namespaces (${(error?.message ?? stderr).trim()})`
}

/**
 * Creates the driver. As root on Debian and Ubuntu it installs the packages that are missing.
 * @throws Error with what to do, if this machine cannot run bubblewrap
 */
export function bubblewrapDriver(options: BubblewrapDriverOptions): SandboxDriver {
  try {
    return createBubblewrapDriver(options)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    if (process.getuid?.() !== 0 || !installPackages()) throw explain(error)
  }
  try {
    return createBubblewrapDriver(options)
  } catch (error) {
    throw error instanceof StartupError ? explain(error) : error
  }
}

const explain = ({ message, fix }: StartupError): Error =>
  new Error(
    `${message} ${fix} The tests of the bubblewrap driver need it: install it (apt-get install bubblewrap ` +
      'python3) and ' +
      `allow user namespaces (sysctl -w kernel.apparmor_restrict_unprivileged_userns=0), or set ${OFF}=off.`,
  )

function installPackages(): boolean {
  const run = (args: string[]) =>
    spawnSync('apt-get', args, { stdio: 'ignore', timeout: INSTALL_MS }).status === 0
  const install = () => run([...LOCK, 'install', '-y', '-q', '--no-install-recommends', ...PACKAGES])
  return install() || (run([...LOCK, 'update', '-q']) && install())
}
