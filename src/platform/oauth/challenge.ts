/** A header is a line or two; what is longer is no challenge that anybody would send. */
const HEADER_MAX = 8_000
const PARAM = /([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g

/** The first parameter of this name in the challenges of a `www-authenticate` header (RFC 9110 §11.6.1), whatever their scheme; undefined when there is none. */
export function challengeParameter(
  header: string | string[] | undefined,
  wanted: string,
): string | undefined {
  for (const line of [header ?? []].flat()) {
    if (line.length > HEADER_MAX) continue
    for (const [, name = '', quoted, bare] of line.matchAll(PARAM)) {
      if (name.toLowerCase() === wanted) return quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
    }
  }
  return undefined
}

/** The parameter `resource_metadata` (RFC 9728 §5.1). */
export const resourceMetadataParameter = (header: string | string[] | undefined): string | undefined =>
  challengeParameter(header, 'resource_metadata')
