/** Parts of a place of a source. */
export interface SourceTarget {
  readonly kind: 'github' | 'npm' | 'page'
  /** Name of the package or repository, with its version or commit; the URL of a page. */
  readonly name: string
  /** File or folder in the package or repository. */
  readonly path: string
  /** Sources of one publisher confirm nothing about each other. */
  readonly publisher: string
}

/** `github:owner/name@commit:path`, `npm:name@version:path`, or the URL of a page. */
export const TARGET =
  /^(?:github:([\w.-]+)\/([\w.-]+)@([0-9a-f]{7,40}):(\S.*)|npm:((?:@[\w.-]+\/)?[\w.-]+)@(\d[\w.+-]*):(\S.*)|https:\/\/([\w.-]+)\/\S*)$/

/** Reads a place of a source. @throws Error for one of another form */
export function readTarget(at: string): SourceTarget {
  const found = TARGET.exec(at)
  if (!found)
    throw new Error(
      `${at} is no place of a source: github:owner/name@commit:path, npm:name@version:path or a URL.`,
    )
  const [, owner, repository, commit, path = '', npmName, version, npmPath = '', host] = found
  if (owner !== undefined)
    return { kind: 'github', name: `${owner}/${repository}@${commit}`, path, publisher: owner.toLowerCase() }
  if (npmName !== undefined) {
    const [scope = ''] = npmName.split('/')
    const publisher = scope.startsWith('@') ? scope.slice(1).toLowerCase() : npmName
    return { kind: 'npm', name: `${npmName}@${version}`, path: npmPath, publisher }
  }
  return { kind: 'page', name: at, path: '', publisher: host!.split('.').slice(-2).join('.') }
}
