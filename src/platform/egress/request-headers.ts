import { EgressError } from './errors.ts'

/**
 * Names and values as undici takes them, with our defaults. Compressed answers are asked for: a list of a hundred issues
 * is 500 kB plain and 60 kB compressed, several round trips less; and as some servers compress without being asked,
 * answers have to be decompressed within the bound anyway. A caller's own accept-encoding is left alone.
 * @throws EgressError `protocol` for a Host that is not the URL's: it would also be the name the certificate is checked for.
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
      name.length // Most names have another length, and are not copied to lower case.
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
  if (!agentGiven) list.push('user-agent', 'patchbay') // Some providers refuse requests without one.
  return list
}
