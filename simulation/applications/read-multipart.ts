/** The parts of a multipart/form-data body (RFC 7578): text, or the bytes of a file with its name. */
export function readMultipart(body: Buffer, contentType: string): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (!boundary) return {}
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end)
    const name = /name="([^"]*)"/.exec(head)?.[1]
    if (end < 0 || name === undefined) continue
    const bytes = Buffer.from(part.slice(end + 4, -2), 'latin1')
    const file = /filename="([^"]*)"/.exec(head)?.[1]
    const isJson = /content-type:\s*application\/json/i.test(head)
    const value =
      file !== undefined
        ? { name: file, content: bytes.toString('base64'), encoding: 'base64' }
        : isJson
          ? (JSON.parse(bytes.toString()) as unknown)
          : bytes.toString()
    out[name] = name in out ? [out[name], value].flat() : value
  }
  return { ...out }
}
