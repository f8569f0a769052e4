import type { Take } from './take.ts'
import { isObject } from '../../platform/json-object.ts'

/** First line of a cassette: what it is, and in which format. */
export const CASSETTE_HEAD = { patchbay_cassette: 1 }

const TAKES_MAX = 100_000

/** The text of a cassette: a head, then one execution a line. */
export const cassetteText = (takes: readonly Take[]): string =>
  [CASSETTE_HEAD, ...takes].map((one) => `${JSON.stringify(one)}\n`).join('')

/** The executions of a cassette, or of several one after another. @throws Error that says which line is wrong, and why */
export function readCassette(text: string): Take[] {
  const lines = text.split('\n').map((line) => line.trim())
  const takes: Take[] = []
  lines.forEach((line, index) => {
    if (line === '') return
    const value = parsed(line, index + 1)
    if (Object.hasOwn(value, 'patchbay_cassette')) {
      if (value['patchbay_cassette'] !== CASSETTE_HEAD.patchbay_cassette)
        throw new Error(
          `line ${index + 1} is of a cassette of format ${String(value['patchbay_cassette'])}, and this program reads format ${CASSETTE_HEAD.patchbay_cassette}`,
        )
      return
    }
    if (takes.length >= TAKES_MAX) throw new Error(`it has more than ${TAKES_MAX} executions`)
    takes.push(takeOf(value, index + 1))
  })
  if (!takes.length) throw new Error('it has no execution')
  return takes
}

function parsed(line: string, number: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error(`line ${number} is not JSON`)
  }
  if (!isObject(value) || Object.hasOwn(value, '__proto__')) throw new Error(`line ${number} is no object`)
  return value
}

function takeOf(value: Record<string, unknown>, number: number): Take {
  const { tool, version = 'latest', arguments: args = {}, exchanges = [], result } = value
  const wrong = (what: string) => new Error(`line ${number}: ${what}`)
  if (typeof tool !== 'string' || !/^[A-Z0-9_]{1,64}$/.test(tool))
    throw wrong('tool must be the slug of a tool')
  if (typeof version !== 'string' || !isObject(args)) throw wrong('version must be text, arguments an object')
  if (!Array.isArray(exchanges) || !exchanges.every(isExchange))
    throw wrong('exchanges must be a list of {request, answer}')
  if (!isObject(result) || typeof result['successful'] !== 'boolean' || !isObject(result['data']))
    throw wrong('result must have successful and data')
  const { data, successful, error, statusCode } = result
  return {
    tool,
    version,
    arguments: args,
    exchanges: exchanges as Take['exchanges'],
    result: {
      data: data as Record<string, unknown>,
      successful: successful as boolean,
      error: typeof error === 'string' ? error : null,
      statusCode: typeof statusCode === 'number' ? statusCode : null,
    },
  }
}

const isExchange = (one: unknown): boolean =>
  isObject(one) &&
  isObject(one['request']) &&
  isObject(one['answer']) &&
  Number.isInteger(one['answer']['status']) &&
  isObject(one['answer']['headers'])
