/** What `execFile` needs to run npm. */
export interface NpmCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly shell: boolean
}

/**
 * Returns the command that runs npm. On Windows, npm is a `.cmd` file, which Node.js starts only with a shell. The
 * shell interprets its command line, so arguments must contain neither spaces nor special characters.
 */
export function npmCommand(args: readonly string[], platform: string = process.platform): NpmCommand {
  if (platform !== 'win32') return { file: 'npm', args, shell: false }
  const unsafe = args.find((arg) => !/^[\w@./-]+$/.test(arg))
  if (unsafe !== undefined) throw new Error(`The argument ${unsafe} of npm is not safe for a shell.`)
  return { file: ['npm', ...args].join(' '), args: [], shell: true }
}
