import { isObject } from '../../platform/json-object.ts'
import type { RecordedCall } from './recorded-call.ts'

/** The first line of a recording: its format. */
const HEADER = { patchbay_cassette: 1 }

const CALLS_MAX = 100_000

type Fields = Record<string, unknown>

/** Returns the text of a recording: a header, then one call a line. */
export const formatRecording = (calls: readonly RecordedCall[]): string =>
  [HEADER, ...calls].map((line) => `${JSON.stringify(line)}\n`).join('')

/** Reads one recording, or several after another. @throws Error that names the line and the reason */
export function parseRecording(text: string): RecordedCall[] {
  const calls: RecordedCall[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const number = index + 1
    const value = parseLine(line.trim(), number)
    if (Object.hasOwn(value, 'patchbay_cassette')) {
      checkFormat(value['patchbay_cassette'], number)
      continue
    }
    if (calls.length >= CALLS_MAX) throw new Error(`it has more than ${CALLS_MAX} executions`)
    calls.push(readCall(value, number))
  }
  if (!calls.length) throw new Error('it has no execution')
  return calls
}

function checkFormat(format: unknown, number: number): void {
  if (format === HEADER.patchbay_cassette) return
  throw new Error(
    `line ${number} has the recording format ${String(format)}, ` +
      `and this program reads format ${HEADER.patchbay_cassette}`,
  )
}

function parseLine(line: string, number: number): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error(`line ${number} is not JSON`)
  }
  if (!isObject(value) || Object.hasOwn(value, '__proto__')) throw new Error(`line ${number} is no object`)
  return value
}

function readCall(value: Fields, number: number): RecordedCall {
  const { tool, version = 'latest', arguments: args = {}, exchanges = [], result } = value
  const check: (isValid: boolean, problem: string) => asserts isValid = (isValid, problem) => {
    if (!isValid) throw new Error(`line ${number}: ${problem}`)
  }
  check(typeof tool === 'string' && /^[A-Z0-9_]{1,64}$/.test(tool), 'tool must be the slug of a tool')
  check(typeof version === 'string' && isObject(args), 'version must be text, arguments an object')
  check(
    Array.isArray(exchanges) && exchanges.every(isExchange),
    'exchanges must be a list of {request, answer}',
  )
  check(
    isObject(result) && typeof result['successful'] === 'boolean' && isObject(result['data']),
    'result must have successful and data',
  )
  const { data, successful, error, statusCode } = result
  return {
    tool,
    version,
    arguments: args,
    exchanges,
    result: {
      data: data as Fields,
      successful: successful as boolean,
      error: typeof error === 'string' ? error : null,
      statusCode: typeof statusCode === 'number' ? statusCode : null,
    },
  }
}

const isExchange = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value['request']) &&
  isObject(value['answer']) &&
  Number.isInteger(value['answer']['status']) &&
  isObject(value['answer']['headers'])
