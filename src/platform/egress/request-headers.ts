import { EgressError } from './errors.ts'

/**
 * Returns the headers as undici takes them, with defaults. Compression is requested: a list of a hundred
 * issues has 500 kB plain and 60 kB compressed. Some servers compress without a request, so responses must be
 * decompressed within the limit anyway. The accept-encoding of a caller stays.
 * @throws EgressError `protocol` for a Host that is not the URL's: it would also be the name for which the
 * certificate is verified
 */
export function withDefaultHeaders(
  headers: Record<string, string> | undefined,
  target: URL,
  label: string,
): string[] {
  const list: string[] = []
  let encodingGiven = false
  let agentGiven = false
  for (const name in headers) {
    const value = headers[name]!
    switch (
      name.length // Most names have another length, and are not converted to lower case.
    ) {
      case 4:
        if (name.toLowerCase() !== 'host') break
        if (value.toLowerCase() !== target.host)
          throw new EgressError('protocol', `${label}: the header \`host\` is not the host of the URL.`)
        continue
      case 10:
        if (name.toLowerCase() === 'user-agent') agentGiven = true
        break
      case 15:
        if (name.toLowerCase() === 'accept-encoding') encodingGiven = true
        break
    }
    list.push(name, value)
  }
  if (!encodingGiven) list.push('accept-encoding', 'gzip, br')
  if (!agentGiven) list.push('user-agent', 'patchbay') // Some providers reject requests without one.
  return list
}
