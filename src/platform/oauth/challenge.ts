/** Headers are one or two lines long. Longer ones are ignored. */
const HEADER_MAX = 8_000
const PARAM = /([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g

/**
 * Returns the first parameter with this name in the challenges of a `www-authenticate` header (RFC 9110
 * §11.6.1), of any scheme.
 */
export function challengeParameter(
  header: string | string[] | undefined,
  parameter: string,
): string | undefined {
  for (const line of [header ?? []].flat()) {
    if (line.length > HEADER_MAX) continue
    for (const [, name = '', quoted, bare] of line.matchAll(PARAM)) {
      if (name.toLowerCase() === parameter)
        return quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
    }
  }
  return undefined
}

/** Returns the parameter `resource_metadata` (RFC 9728 §5.1). */
export const resourceMetadataParameter = (header: string | string[] | undefined): string | undefined =>
  challengeParameter(header, 'resource_metadata')
