import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, choice, DATA_CHARS_MAX, text } from './args.ts'

export const ENCODINGS = ['utf8', 'hex', 'base64', 'base64url'] as const
const METHODS = ['base64', 'base64url', 'hex', 'url', 'html'] as const
const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const HTML_NAMES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Bytes of a text, strictly: Node skips what it does not understand, which would hide mistakes. */
export function toBytes(value: string, encoding: (typeof ENCODINGS)[number], name: string): Buffer {
  if (encoding === 'utf8') return Buffer.from(value, 'utf8')
  const compact = value.replace(/\s+/g, '')
  const valid =
    encoding === 'hex'
      ? compact.length % 2 === 0 && /^[0-9a-f]*$/i.test(compact)
      : encoding === 'base64'
        ? /^[A-Za-z0-9+/]*={0,2}$/.test(compact)
        : /^[A-Za-z0-9_-]*={0,2}$/.test(compact)
  if (!valid || (encoding !== 'hex' && compact.replaceAll('=', '').length % 4 === 1))
    throw new ToolFailure(`${name} is not ${encoding}`)
  return Buffer.from(compact, encoding)
}

function encodeText(args: Args) {
  const value = text(args, 'text', { max: DATA_CHARS_MAX })
  const method = choice(args, 'method', METHODS)
  if (method === 'html') return { result: value.replace(/[&<>"']/g, (character) => HTML[character]!) }
  if (method !== 'url') return { result: Buffer.from(value, 'utf8').toString(method) }
  if (!value.isWellFormed()) throw new ToolFailure('text is not well-formed Unicode')
  return { result: encodeURIComponent(value) }
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new ToolFailure('The decoded bytes are not UTF-8 text', { cause: error })
  }
}

function entity(whole: string, name: string): string {
  if (!name.startsWith('#')) return HTML_NAMES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
}

function decodeText(args: Args) {
  const value = text(args, 'text', { max: DATA_CHARS_MAX })
  const method = choice(args, 'method', METHODS)
  if (method === 'html')
    return { result: value.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g, entity) }
  if (method !== 'url') return { result: utf8(toBytes(value, method, 'text')) }
  try {
    return { result: decodeURIComponent(value.replaceAll('+', '%20')) }
  } catch (error) {
    throw new ToolFailure('text is not percent-encoded UTF-8', { cause: error })
  }
}

export const encodingTools: Record<string, CodeTool> = {
  UTILITIES_ENCODE_TEXT: encodeText,
  UTILITIES_DECODE_TEXT: decodeText,
}
