import { randomBytes } from 'node:crypto'
import { FileBytes, type RenderedRequest, ToolFailure, serializeParameter } from '../../catalog/index.ts'

type Body = Pick<RenderedRequest, 'body' | 'bodyType' | 'bodyStyles' | 'partTypes'>
type Encode = (request: Body, headers: Record<string, string>) => string | Buffer

/** The body as it leaves, and its content type where the tool names none. Undefined when there is none. @throws ToolFailure */
export function encodeBody(request: Body, headers: Record<string, string>): string | Buffer | undefined {
  return request.body === undefined ? undefined : ENCODERS[request.bodyType](request, headers)
}

const ENCODERS: Readonly<Record<RenderedRequest['bodyType'], Encode>> = {
  json({ body }, headers) {
    headers['content-type'] ??= 'application/json'
    return JSON.stringify(body)
  },
  text({ body }, headers) {
    headers['content-type'] ??= 'text/plain; charset=utf-8'
    return typeof body === 'string' ? body : JSON.stringify(body)
  },
  form(request, headers) {
    headers['content-type'] ??= 'application/x-www-form-urlencoded'
    const { body } = request
    if (typeof body !== 'object' || body === null) return String(body)
    return pairsOf(request)
      .map(
        ([name, value]) =>
          `${formText(name)}=${value instanceof FileBytes ? formText(value.bytes.toString()) : typeof value === 'string' ? formText(value) : value.map(formText).join(',')}`,
      )
      .join('&')
  },
  binary({ body }, headers) {
    const file = Array.isArray(body) ? body[0] : body
    if (!(file instanceof FileBytes)) throw new ToolFailure('The body of this tool is one file.')
    headers['content-type'] ??= file.type ?? 'application/octet-stream'
    return file.bytes
  },
  multipart,
}

/** application/x-www-form-urlencoded of one text: a space is `+`. */
const formText = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)

type Part = [name: string, value: string | readonly string[] | FileBytes]

/** Members in their order; a list that holds files is repeated, whatever its style. */
function pairsOf({ body, bodyStyles = {}, bodyType, partTypes = {} }: Body): Part[] {
  if (typeof body !== 'object' || body === null || body instanceof FileBytes)
    throw new ToolFailure(`A ${bodyType} body has members; this tool was given none.`)
  return Object.entries(body).flatMap(([name, value]): Part[] => {
    const files = (Array.isArray(value) ? value : [value]).filter((one) => one instanceof FileBytes)
    if (files.length > 0) return files.map((file) => [name, file])
    if (
      /\bjson\b/.test(Object.hasOwn(partTypes, name) ? partTypes[name]! : '') &&
      value !== null &&
      value !== undefined
    )
      return [[name, JSON.stringify(value)]]
    return serializeParameter(name, value, Object.hasOwn(bodyStyles, name) ? bodyStyles[name]! : 'repeat')
  })
}

const CRLF = Buffer.of(13, 10)

/** multipart/form-data (RFC 7578). Names are escaped as browsers do, so that none ends its header. */
function multipart(request: Body, headers: Record<string, string>): Buffer {
  const boundary = `----${randomBytes(16).toString('hex')}`
  const { partTypes = {}, body } = request
  const chunks = pairsOf(request).flatMap(([name, value]) => {
    const given = body as Record<string, unknown>
    const own = Object.hasOwn(partTypes, name)
      ? partTypes[name]
      : Object.hasOwn(given, name) && isJson(given[name])
        ? 'application/json'
        : undefined
    const type = value instanceof FileBytes ? (value.type ?? own ?? 'application/octet-stream') : own
    const file = value instanceof FileBytes ? `; filename="${escaped(value.name)}"` : ''
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"${file}\r\n${type === undefined ? '' : `content-type: ${type.replace(/[\r\n]/g, '')}\r\n`}\r\n`
    return [
      Buffer.from(head),
      value instanceof FileBytes
        ? value.bytes
        : Buffer.from(typeof value === 'string' ? value : value.join(',')),
      CRLF,
    ]
  })
  // The boundary is ours alone; what else a content type of the tool says stays.
  headers['content-type'] =
    `${headers['content-type']?.split(';')[0] ?? 'multipart/form-data'}; boundary=${boundary}`
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

const isJson = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((one) => typeof one === 'object' && one !== null))
const escaped = (text: string) =>
  text.replace(/[\r\n"]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
