import { randomBytes } from 'node:crypto'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { jsonBytesInPieces } from '../../platform/json-bytes.ts'
import { FileBytes, type RenderedRequest, ToolFailure, serializeParameter } from '../../catalog/index.ts'

type Body = Pick<RenderedRequest, 'body' | 'bodyType' | 'bodyStyles' | 'partTypes'>
type Encode = (request: Body, headers: Record<string, string>) => string | Buffer

/** The JSON of bodies that were serialized before their request was signed. */
const serializedBodies = new WeakMap<object, Buffer>()

/** Serializes a JSON body in slices. Returns undefined if that is done, or the body is no JSON. */
export function serializeLongBody({ body, bodyType }: Body): Promise<void> | undefined {
  if (bodyType !== 'json' || typeof body !== 'object' || body === null) return undefined
  if (serializedBodies.has(body)) return undefined
  return runInSlices(jsonBytesInPieces(body)).then((bytes) => {
    serializedBodies.set(body, bytes)
  })
}

const jsonOf = (body: unknown): string | Buffer =>
  (typeof body === 'object' && body !== null && serializedBodies.get(body)) || JSON.stringify(body)

/**
 * Encodes the body, and sets its content type where the tool sets none. Returns undefined without a body.
 * @throws ToolFailure
 */
export function encodeBody(request: Body, headers: Record<string, string>): string | Buffer | undefined {
  return request.body === undefined ? undefined : ENCODERS[request.bodyType](request, headers)
}

const ENCODERS: Readonly<Record<RenderedRequest['bodyType'], Encode>> = {
  json({ body }, headers) {
    headers['content-type'] ??= 'application/json'
    return jsonOf(body)
  },
  text({ body }, headers) {
    headers['content-type'] ??= 'text/plain; charset=utf-8'
    return typeof body === 'string' ? body : JSON.stringify(body)
  },
  form(request, headers) {
    headers['content-type'] ??= 'application/x-www-form-urlencoded'
    const { body } = request
    if (typeof body !== 'object' || body === null) return String(body)
    return partsOf(request)
      .map(([name, value]) => `${formEncode(name)}=${formValue(value)}`)
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

/** Encodes one text as application/x-www-form-urlencoded: a space is `+`. */
const formEncode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)

function formValue(value: PartValue): string {
  if (value instanceof FileBytes) return formEncode(value.bytes.toString())
  return typeof value === 'string' ? formEncode(value) : value.map(formEncode).join(',')
}

type PartValue = string | readonly string[] | FileBytes
type Part = [name: string, value: PartValue]

/** Returns the parts of a body in their order. A list of files is repeated, whatever its style. */
function partsOf({ body, bodyStyles = {}, bodyType, partTypes = {} }: Body): Part[] {
  if (typeof body !== 'object' || body === null || body instanceof FileBytes) {
    throw new ToolFailure(`A ${bodyType} body must have fields.`)
  }
  return Object.entries(body).flatMap(([name, value]): Part[] => {
    const files = (Array.isArray(value) ? value : [value]).filter((item) => item instanceof FileBytes)
    if (files.length > 0) return files.map((file) => [name, file])
    const isJsonPart = /\bjson\b/.test(Object.hasOwn(partTypes, name) ? partTypes[name]! : '')
    if (isJsonPart && value !== null && value !== undefined) return [[name, JSON.stringify(value)]]
    return serializeParameter(name, value, Object.hasOwn(bodyStyles, name) ? bodyStyles[name]! : 'repeat')
  })
}

const CRLF = Buffer.of(13, 10)

/** Encodes multipart/form-data (RFC 7578). Names are escaped as browsers do, so that no name ends its header. */
function multipart(request: Body, headers: Record<string, string>): Buffer {
  const boundary = `----${randomBytes(16).toString('hex')}`
  const chunks = partsOf(request).flatMap(([name, value]) => {
    const head = `--${boundary}\r\n${partHeaders(request, name, value)}\r\n`
    const text = typeof value === 'string' || value instanceof FileBytes ? value : value.join(',')
    return [Buffer.from(head), text instanceof FileBytes ? text.bytes : Buffer.from(text), CRLF]
  })
  // The boundary of this request replaces any other. The media type of the tool stays.
  headers['content-type'] =
    `${headers['content-type']?.split(';')[0] ?? 'multipart/form-data'}; boundary=${boundary}`
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

function partHeaders({ body, partTypes = {} }: Body, name: string, value: PartValue): string {
  const fields = body as Record<string, unknown>
  const isJson = Object.hasOwn(fields, name) && isJsonValue(fields[name])
  const declared = Object.hasOwn(partTypes, name) ? partTypes[name] : isJson ? 'application/json' : undefined
  const isFile = value instanceof FileBytes
  const type = isFile ? (value.type ?? declared ?? 'application/octet-stream') : declared
  const fileName = isFile ? `; filename="${escapeName(value.name)}"` : ''
  const contentType = type === undefined ? '' : `content-type: ${type.replace(/[\r\n]/g, '')}\r\n`
  return `content-disposition: form-data; name="${escapeName(name)}"${fileName}\r\n${contentType}`
}

const isJsonValue = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null))

const escapeName = (text: string) =>
  text.replace(/[\r\n"]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
