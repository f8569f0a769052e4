/** A header is a line or two; what is longer is no challenge that anybody would send. */
const HEADER_MAX = 8_000
const PARAM = /([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g

/** The parameter `resource_metadata` of a challenge (RFC 9728 §5.1, RFC 9110 §11.6.1), whatever its scheme; undefined when there is none. */
export function resourceMetadataIn(header: string | string[] | undefined): string | undefined {
  for (const line of [header ?? []].flat()) {
    if (line.length > HEADER_MAX) continue
    for (const [, name = '', quoted, bare] of line.matchAll(PARAM)) {
      if (name.toLowerCase() === 'resource_metadata') return quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
    }
  }
  return undefined
}
