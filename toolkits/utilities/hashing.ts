import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, choice, DATA_CHARS_MAX, optionalText, text } from './args.ts'
import { ENCODINGS, toBytes } from './encoding.ts'

const ALGORITHMS = ['sha256', 'sha512', 'sha1', 'md5'] as const
const OUTPUTS = ['hex', 'base64', 'base64url'] as const
const KEY_CHARS_MAX = 10_000

function hashText(args: Args) {
  const algorithm = choice(args, 'algorithm', ALGORITHMS, 'sha256')
  const bytes = toBytes(
    text(args, 'text', { max: DATA_CHARS_MAX }),
    choice(args, 'text_encoding', ENCODINGS, 'utf8'),
    'text',
  )
  return {
    digest: createHash(algorithm)
      .update(bytes)
      .digest(choice(args, 'output', OUTPUTS, 'hex')),
    algorithm,
  }
}

function hmacText(args: Args) {
  const algorithm = choice(args, 'algorithm', ALGORITHMS, 'sha256')
  const key = toBytes(
    text(args, 'key', { max: KEY_CHARS_MAX }),
    choice(args, 'key_encoding', ENCODINGS, 'utf8'),
    'key',
  )
  const bytes = toBytes(
    text(args, 'text', { max: DATA_CHARS_MAX }),
    choice(args, 'text_encoding', ENCODINGS, 'utf8'),
    'text',
  )
  const output = choice(args, 'output', OUTPUTS, 'hex')
  const code = createHmac(algorithm, key).update(bytes).digest()
  const expected = optionalText(args, 'expected', 1000)
  const digest = { digest: code.toString(output), algorithm }
  if (expected === undefined) return digest
  const expectedBytes = toBytes(expected.trim(), output, 'expected')
  if (expectedBytes.length === 0) throw new ToolFailure('expected is empty')
  return { ...digest, matches: expectedBytes.length === code.length && timingSafeEqual(expectedBytes, code) }
}

export const hashingTools: Record<string, CodeTool> = {
  UTILITIES_HASH_TEXT: hashText,
  UTILITIES_HMAC_TEXT: hmacText,
}
