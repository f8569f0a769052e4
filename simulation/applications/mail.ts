/**
 * What a mailbox shows of a message that it was given as text (RFC 5322): its headers and its parts. `raw` is
 * base64url.
 */
export function mailOf(raw: string): Record<string, unknown> {
  const text = Buffer.from(raw, 'base64url').toString()
  const payload = partOf(text, '')
  return {
    payload,
    snippet: plainText(payload).replace(/\s+/g, ' ').trim().slice(0, 200),
    sizeEstimate: text.length,
    labelIds: ['SENT'],
  }
}

interface Part {
  partId: string
  mimeType: string
  filename: string
  headers: { name: string; value: string }[]
  body: { size: number; data?: string }
  parts?: Part[]
}

const DEPTH_MAX = 8

function partOf(text: string, partId: string, depth = 0): Part {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  const content = end ? text.slice(end.index + end[0].length) : ''
  const headers = head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((line) => line.includes(':'))
    .map((line) => ({
      name: line.slice(0, line.indexOf(':')).trim(),
      value: line.slice(line.indexOf(':') + 1).trim(),
    }))
  const value = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value ?? ''
  const type = value('content-type')
  const mimeType = /^[^;\s]+/.exec(type)?.[0] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  const own = {
    partId,
    mimeType,
    filename: /filename="?([^";]+)"?/i.exec(value('content-disposition'))?.[1] ?? '',
    headers,
  }
  if (boundary === undefined || depth >= DEPTH_MAX) {
    const bytes = decodedBody(content, value('content-transfer-encoding'))
    return { ...own, body: { size: bytes.length, data: bytes.toString('base64url') } }
  }
  const parts = content
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part, index) =>
      partOf(
        part.replace(/^\r?\n/, '').replace(/\r?\n$/, ''),
        partId === '' ? String(index) : `${partId}.${index}`,
        depth + 1,
      ),
    )
  return { ...own, body: { size: 0 }, parts }
}

function decodedBody(text: string, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64')
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(text)
  return Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function plainText({ mimeType, body, parts = [] }: Part): string {
  if (mimeType === 'text/plain' && body.data !== undefined)
    return Buffer.from(body.data, 'base64url').toString()
  return parts.map(plainText).find((text) => text !== '') ?? ''
}
