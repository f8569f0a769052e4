import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, choice, flag, integer, numeric } from './args.ts'
import { tidy } from './calculate.ts'

const COUNT_MAX = 1000
// What randomInt allows between its bounds.
const RANGE_MAX = 2 ** 48 - 1
const ALPHABETS = {
  alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  digits: '0123456789',
  hex: '0123456789abcdef',
  readable: 'abcdefghjkmnpqrstuvwxyz23456789',
  symbols: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&*+-=?@^_~',
} as const
const ALPHABET_NAMES = Object.keys(ALPHABETS) as (keyof typeof ALPHABETS)[]

const countOf = (args: Args) => integer(args, 'count', { min: 1, max: COUNT_MAX, fallback: 1 })

/** RFC 9562: 48 bits of milliseconds, then version, variant and chance. */
export function uuidV7(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function generateUuids(args: Args, { now }: CodeToolContext) {
  const version = choice(args, 'version', ['4', '7'], '4')
  const uuids = Array.from({ length: countOf(args) }, () => (version === '4' ? randomUUID() : uuidV7(now())))
  return { uuid: uuids[0], uuids }
}

function randomNumbers(args: Args) {
  const count = countOf(args)
  if (!flag(args, 'integers', true)) {
    const [min, max] = [
      numeric(args, 'min', { min: -1e15, max: 1e15, fallback: 0 }),
      numeric(args, 'max', { min: -1e15, max: 1e15, fallback: 1 }),
    ]
    if (max < min) throw new ToolFailure('max is less than min')
    return {
      numbers: Array.from({ length: count }, () =>
        tidy(min + (randomBytes(6).readUIntBE(0, 6) / 2 ** 48) * (max - min)),
      ),
    }
  }
  const [min, max] = [
    integer(args, 'min', { min: -1e14, max: 1e14, fallback: 1 }),
    integer(args, 'max', { min: -1e14, max: 1e14, fallback: 100 }),
  ]
  if (max < min || max - min >= RANGE_MAX)
    throw new ToolFailure('max must not be less than min, and at most 2^48 - 2 above it')
  const draw = () => min + randomInt(max - min + 1)
  if (!flag(args, 'unique')) return { numbers: Array.from({ length: count }, draw) }
  if (max - min + 1 < count)
    throw new ToolFailure('There are not that many different numbers between min and max')
  return { numbers: distinct(min, max, count) }
}

/** Floyd's sampling draws each number once, however tight the range; the order is shuffled afterwards. */
function distinct(min: number, max: number, count: number): number[] {
  const chosen = new Set<number>()
  for (let top = max - min - count + 1; top <= max - min; top++) {
    const drawn = randomInt(top + 1)
    chosen.add(chosen.has(drawn) ? top : drawn)
  }
  const numbers = [...chosen].map((value) => min + value)
  for (let last = numbers.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const value = numbers[last]!
    numbers[last] = numbers[other]!
    numbers[other] = value
  }
  return numbers
}

function randomText(args: Args) {
  const alphabet = ALPHABETS[choice(args, 'alphabet', ALPHABET_NAMES, 'alphanumeric')]
  const length = integer(args, 'length', { min: 1, max: 1000, fallback: 20 })
  return { text: Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('') }
}

export const randomTools: Record<string, CodeTool> = {
  UTILITIES_GENERATE_UUIDS: generateUuids,
  UTILITIES_RANDOM_NUMBERS: randomNumbers,
  UTILITIES_RANDOM_TEXT: randomText,
}
