import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, text } from './args.ts'

const EXPRESSION_CHARS_MAX = 1000
const DEPTH_MAX = 50
const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z][A-Za-z0-9]*)|([-+*/%^(),]))/y
const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])

const round = (value: number, digits = 0) => {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15)
    throw new ToolFailure('round takes -15 to 15 digits')
  // By way of the decimal text, as 1.005 * 100 is less than 100.5.
  const shifted = Math.round(Number(`${Math.abs(value)}e${digits}`))
  return Number.isNaN(shifted) ? value : Math.sign(value) * Number(`${shifted}e${-digits}`)
}

const FUNCTIONS = new Map<string, { call: (...values: number[]) => number; least: number; most: number }>([
  ...(
    [
      'abs',
      'ceil',
      'floor',
      'trunc',
      'sign',
      'sqrt',
      'cbrt',
      'exp',
      'log10',
      'log2',
      'sin',
      'cos',
      'tan',
      'asin',
      'acos',
      'atan',
    ] as const
  ).map((name) => [name, { call: Math[name], least: 1, most: 1 }] as const),
  ['ln', { call: Math.log, least: 1, most: 1 }],
  ['round', { call: round, least: 1, most: 2 }],
  ['pow', { call: Math.pow, least: 2, most: 2 }],
  ['min', { call: Math.min, least: 1, most: 100 }],
  ['max', { call: Math.max, least: 1, most: 100 }],
  ['sum', { call: (...values) => values.reduce((total, value) => total + value, 0), least: 1, most: 100 }],
  [
    'avg',
    {
      call: (...values) => values.reduce((total, value) => total + value, 0) / values.length,
      least: 1,
      most: 100,
    },
  ],
])

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  const source = expression.trimEnd()
  TOKEN.lastIndex = 0
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(source)
    if (match === null) throw new ToolFailure(`"${source.slice(at, at + 10).trim()}" is not understood`)
    tokens.push(match[0].trim())
  }
  return tokens
}

/** Recursive descent over numbers, + - * / % ^, brackets and the functions above; nothing is ever evaluated as code. */
export function calculate(expression: string): number {
  const tokens = tokensOf(expression)
  let [at, depth] = [0, 0]
  const next = (...symbols: string[]) => (symbols.includes(tokens[at] ?? '') ? tokens[at++] : undefined)
  const expect = (token: string) => {
    if (next(token) === undefined)
      throw new ToolFailure(
        `"${token}" is missing ${tokens[at] === undefined ? 'at the end' : `before "${tokens[at]}"`}`,
      )
  }
  const nested = <T>(parse: () => T): T => {
    if (++depth > DEPTH_MAX) throw new ToolFailure(`The expression is nested more than ${DEPTH_MAX} deep`)
    const value = parse()
    depth--
    return value
  }

  const sum = (): number => {
    let value = product()
    for (let sign = next('+', '-'); sign !== undefined; sign = next('+', '-')) {
      const right = product()
      value = sign === '+' ? value + right : value - right
    }
    return value
  }
  const product = (): number => {
    let value = signed()
    for (let sign = next('*', '/', '%'); sign !== undefined; sign = next('*', '/', '%')) {
      const right = signed()
      if (right === 0 && sign !== '*') throw new ToolFailure('Division by zero')
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
    return value
  }
  const signed = (): number => {
    const sign = next('+', '-')
    if (sign === undefined) return power()
    const value = nested(signed)
    return sign === '-' ? -value : value
  }
  const power = (): number => {
    const base = atom()
    return next('^') === undefined ? base : base ** nested(signed)
  }
  const atom = (): number => {
    const token = tokens[at++]
    if (token === undefined) throw new ToolFailure('The expression ends too early')
    if (token === '(') {
      const value = nested(sum)
      expect(')')
      return value
    }
    if (/^[\d.]/.test(token)) return Number(token)
    const name = token.toLowerCase()
    const known = FUNCTIONS.get(name)
    if (known === undefined) {
      const value = CONSTANTS.get(name)
      if (value === undefined) throw new ToolFailure(`"${token}" is not expected here or not known`)
      return value
    }
    expect('(')
    const values = [nested(sum)]
    while (next(',') !== undefined) values.push(nested(sum))
    expect(')')
    if (values.length < known.least || values.length > known.most)
      throw new ToolFailure(`${name} does not take ${values.length} values`)
    return known.call(...values)
  }

  const value = sum()
  if (at < tokens.length) throw new ToolFailure(`"${tokens[at]}" is not expected here`)
  if (!Number.isFinite(value)) throw new ToolFailure('The result is not a finite number')
  return value
}

/** 15 significant digits are what a double holds for certain: 0.1 + 0.2 is then 0.3. */
export const tidy = (value: number) => (Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)))

export const calculationTools: Record<string, CodeTool> = {
  UTILITIES_CALCULATE: (args: Args) => ({
    result: tidy(calculate(text(args, 'expression', { max: EXPRESSION_CHARS_MAX }))),
  }),
}
